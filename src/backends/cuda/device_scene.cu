// A scene in device memory, and the kernels of queries that are not casts.
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

CastCounts answer_on_device(DeviceScene& scene, Query query,
                            FunctionRef<CastCounts(const Query& cast)> cast) {
  if (query.count == 0) return {};
  if (query.info->answered_by == AnsweredBy::cast) return cast(query);
  if (query.info->answered_by == AnsweredBy::on_hits)
    return run_on_hits(HitQueries{}, scene.machine, query, cast);
  query.triangles = scene.arrays->view.triangle_count;
  with_view(scene, query, [&](const auto& view) {
    run_query(RayQueries{}, scene.machine, view, query);
    run_query(PointQueries{}, scene.machine, view, query);
  });
  return {};
}

}  // namespace ballotcast::detail
