// A scene in device memory, and the kernels of queries that are not casts.
#include "backends/cuda/cub.cuh"
#include "backends/cuda/device_scene.cuh"

namespace ballotcast::detail {

DeviceArrays::DeviceArrays(CudaMachine& machine, const PreparedScene& scene) : view(scene.arrays) {
  for_each_array(scene, view, [&](const char*, const auto& host, auto& pointer) {
    using Element = std::decay_t<decltype(*pointer)>;
    const auto* bytes = reinterpret_cast<const std::byte*>(host.data());
    owned.push_back(machine.upload(bytes, host.size() * sizeof(Element)));
    pointer = reinterpret_cast<const Element*>(owned.back().data());
  });
  machine.wait();
  machine.release_staging();
}

DeviceArrays::DeviceArrays(CudaMachine& machine, const PreparedScene& scene,
                           const DeviceArrays& there)
    : view(there.view) {
  for_each_array(scene, view, [&](const char*, const auto&, auto& pointer) {
    using Element = std::decay_t<decltype(*pointer)>;
    const DeviceBuffer<std::byte>& from = there.owned[owned.size()];
    owned.emplace_back(from.size());
    machine.copy_within(owned.back().data(), static_cast<const std::byte*>(from.data()),
                        from.size());
    pointer = reinterpret_cast<const Element*>(owned.back().data());
  });
  machine.wait();
}

void DeviceArrays::follow(CudaMachine& machine, const PreparedScene& scene, Moved moved) {
  view = scene.arrays;
  std::size_t next = 0;
  for_each_array(scene, view, [&](const char* name, const auto& host, auto& pointer) {
    using Element = std::decay_t<decltype(*pointer)>;
    DeviceBuffer<std::byte>& buffer = owned[next++];
    if (changes(name, moved)) {
      const std::size_t bytes = host.size() * sizeof(Element);
      buffer.require(bytes);
      machine.copy_in(buffer.data(), reinterpret_cast<const std::byte*>(host.data()), bytes);
    }
    pointer = reinterpret_cast<const Element*>(buffer.data());
  });
}

namespace {

// Bits of a key per axis: 256 cells, as in backends/device/batches.cpp.
constexpr u32 kAxisBits = 8;
// The bits of a key that say where a point is on the curve.
constexpr u32 kFirstBit = 32, kEndBit = kFirstBit + 3 * kAxisBits;

/// The lowest kAxisBits bits of a number, each followed by two zeros.
BC_HD u32 spread_out(u32 number) {
  u32 out = 0;
  BC_UNROLL
  for (u32 bit = 0; bit < kAxisBits; ++bit) out |= (number >> bit & 1u) << 3u * bit;
  return out;
}

/// The cell of a coordinate.
BC_HD u32 cell_of(float at, float low, float cells_a_unit) {
  return static_cast<u32>(
      clamp_to((at - low) * cells_a_unit, 0.0f, static_cast<float>((1u << kAxisBits) - 1u)));
}

/// The place of a point on a curve through the cubic cells of a box (G. M. Morton, 1966).
BC_HD u32 place_on_curve(const Aabb& box, vec3 point) {
  const float extent = largest_magnitude(box.high - box.low);
  if (!(extent > 0.0f)) return 0u;
  const float scale = static_cast<float>(1u << kAxisBits) / extent;
  return spread_out(cell_of(point.x, box.low.x, scale)) |
         spread_out(cell_of(point.y, box.low.y, scale)) << 1u |
         spread_out(cell_of(point.z, box.low.z, scale)) << 2u;
}

/// The box around a scene whose tree has a root with two children, as read from the root.
template <class View>
BC_HD Aabb box_of(const View& view, const TreeShape& shape) {
  const ChildBoxes children = View::LayoutType::boxes(view.nodes, shape.root, shape);
  return {min_of(children.box[0].low, children.box[1].low),
          max_of(children.box[0].high, children.box[1].high)};
}

/// Writes the key of point i: its place on the curve, then i.
struct WriteKey {
  template <class View>
  BC_HD static void item(u32 i, View view, PointArray points, u64* keys) {
    const TreeShape shape = view.frame(0u).shape;
    const dvec3 point = points.point(i);
    const bool has_place = is_node(shape.root) && is_usable(point);
    const u64 place = has_place ? place_on_curve(box_of(view, shape), vec3(point)) : 0u;
    keys[i] = place << kFirstBit | i;
  }
};

}  // namespace

bool PointSorter::prepare(const CudaMachine& machine, const Query& query) {
  const bool walks = query.info == &ClosestPoints::info ||
                     (query.info == &PointsInside::info && query.rule != InsideRule::winding);
  if (!walks || query.is_in_arrays() || query.worlds.each || query.count < kFewest ||
      machine.may_wait())
    return false;
  if (has_memory_ || !machine.may_ask()) return has_memory_;
  try {
    for (DeviceBuffer<u64>* keys : {&keys_, &spare_keys_}) keys->require(kMost);
    lists_.require(kMost);
    scratch_.require(cub_scratch_for_keys(kMost, kFirstBit, kEndBit));
    has_memory_ = true;
  } catch (const OutOfDeviceMemory&) {  // the query can be answered without
    for (DeviceBuffer<u64>* keys : {&keys_, &spare_keys_}) keys->release();
    lists_.release();
  }
  return has_memory_;
}

template <class View>
Query PointSorter::sorted(CudaMachine& machine, const View& view, const Query& query) {
  CubKeys keys{keys_.data(), spare_keys_.data()};
  const u32 count = static_cast<u32>(query.count);
  machine.each<WriteKey>("keys of points", count, view, query.point_array(), keys.keys);
  cub_sort_keys(keys, count, kFirstBit, kEndBit, scratch_, machine.stream());
  Query out = query;
  out.order = {keys.keys};
  out.spare = {lists_.data(), kMost};
  return out;
}

CastCounts answer_on_device(DeviceScene& scene, Query query,
                            FunctionRef<CastCounts(const Query& cast)> cast) {
  if (query.count == 0) return {};
  if (query.info->answered_by == AnsweredBy::cast) return cast(query);
  if (query.info->answered_by == AnsweredBy::on_hits)
    return run_on_hits(HitQueries{}, scene.machine, query, cast);
  query.triangles = scene.arrays->view.triangle_count;
  with_view(scene, query, [&](const auto& view) {
    run_query(RayQueries{}, scene.machine, view, query);
    if (!scene.points.prepare(scene.machine, query))
      return run_query(PointQueries{}, scene.machine, view, query);
    const u64 parts = (query.count + PointSorter::kMost - 1u) / PointSorter::kMost;
    const u64 size = (query.count + parts - 1u) / parts;
    for (u64 first = 0; first < query.count; first += size) {
      const Query part = query.slice(first, std::min(query.count - first, size));
      run_query(PointQueries{}, scene.machine, view,
                scene.points.sorted(scene.machine, view, part));
    }
  });
  return {};
}

}  // namespace ballotcast::detail
