// Casts rays that are in NumPy arrays.
#include <nanobind/stl/array.h>

#include <algorithm>
#include <array>
#include <vector>

#include "arrays.hpp"
#include "render/internals.hpp"
#include "scene.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// Calls use(i) for each hit in [begin, end), and prefetches the corners of the triangles of later
/// hits.
template <class Use>
void with_corners_ahead(const detail::SceneView& view, const Hit* hits, std::size_t begin,
                        std::size_t end, const Use& use) {
  constexpr std::size_t kAhead = 12;
  const auto found = [&](std::size_t i) {
    return i < end && hits[i].found() && view.instances.count == 0;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (found(i + 2 * kAhead))
      __builtin_prefetch(view.mesh.triangles + hits[i + 2 * kAhead].triangle);
    if (found(i + kAhead)) {
      const detail::uvec3 corners = view.mesh.triangles[hits[i + kAhead].triangle];
      __builtin_prefetch(view.mesh.positions + corners.x);
      __builtin_prefetch(view.mesh.positions + corners.y);
      __builtin_prefetch(view.mesh.positions + corners.z);
    }
    use(i);
  }
}

/// Casts rays, and writes their closest hits. Returns the number of rays with a NaN. If `distances`
/// and `places` are given, also writes t and the points of hits in world coordinates, as doubles.
std::uint64_t cast(SceneHandle& scene, Rays& rays, const HitBytes& hits,
                   const std::optional<Numbers<double>>& distances,
                   const std::optional<Rows<double, 3>>& places) {
  Hit* const found = reinterpret_cast<Hit*>(hits.data());
  std::uint64_t nans = 0;
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    detail::ask(renderer, rays.query<detail::ClosestHits>(found), scene.casting().cast);
    if (distances) {
      const detail::SceneView& view = detail::prepared_of(renderer).view;
      dvec3* const points = reinterpret_cast<dvec3*>(places->data());
      detail::for_each_range<std::size_t>(rays.count(), 1 << 14, [&](auto begin, auto end) {
        with_corners_ahead(view, found, begin, end, [&](std::size_t i) {
          store_precise(rays, i, found, view, distances->data(), points);
        });
      });
    }
    const Rays::Special special = rays.count_special();
    nans = special.nans;
    for (std::size_t i = 0; special.scaled > 0 && i < rays.count(); ++i)
      if (rays.arrays().is_scaled(i))
        detail::store_scaled_t(i, detail::prepared_of(renderer).view, rays.arrays(), found[i]);
  });
  return nans;
}

/// Writes 1 for each ray that hits anything, else 0.
void any(SceneHandle& scene, Rays& rays, const Numbers<std::uint8_t>& found) {
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    detail::ask(renderer, rays.query<detail::Occlusions>(found.data()), scene.casting().cast);
  });
}

void count(SceneHandle& scene, Rays& rays, const Numbers<std::uint32_t>& counts) {
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    detail::ask(renderer, rays.query<detail::CrossingCounts>(counts.data()), scene.casting().cast);
  });
}

/// Writes for each triangle the number of rays whose closest hit it is.
void hits_per_triangle(SceneHandle& scene, Rays& rays, const Numbers<std::uint64_t>& counts) {
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    detail::ask(renderer, rays.query<detail::HitsPerTriangle>(counts.data()), scene.casting().cast);
  });
}

/// Finds all crossings. Returns the index of each ray's first crossing, the crossings as bytes,
/// their t and points as doubles (for rays of doubles), and the number of rays with a NaN.
nb::tuple all(SceneHandle& scene, Rays& rays) {
  AllHits found;
  std::vector<double> distances;
  std::vector<dvec3> places;
  std::uint64_t nans = 0;
  scene.work([&](Renderer& renderer) {
    rays.aim_at(renderer);
    found = detail::ask_for_all_crossings(renderer, rays.query<detail::CrossingCounts>(nullptr));
    const Rays::Special special = rays.count_special();
    nans = special.nans;
    for (std::size_t i = 0; special.scaled > 0 && i < rays.count(); ++i)
      for (std::uint64_t k = found.starts[i]; rays.arrays().is_scaled(i) && k < found.starts[i + 1];
           ++k)
        detail::store_scaled_t(i, detail::prepared_of(renderer).view, rays.arrays(), found.hits[k]);
    if (!rays.are_precise()) return;
    distances.resize(found.hits.size());
    places.resize(found.hits.size());
    const detail::SceneView& view = detail::prepared_of(renderer).view;
    detail::for_each_range<std::size_t>(rays.count(), 1 << 12, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i) {
        detail::StorePreciseTOfAll::item(i, view, rays.arrays(), found.starts.data(),
                                         found.hits.data(), distances.data());
        detail::StorePrecisePlacesOfAll::item(i, rays.arrays(), found.starts.data(),
                                              distances.data(), places.data());
      }
    });
  });
  return nb::make_tuple(owned_array<std::int64_t>(std::move(found.starts), 1),
                        owned_array<std::uint8_t>(std::move(found.hits), sizeof(Hit)),
                        owned_array<double>(std::move(distances), 1),
                        owned_array<double>(std::move(places), 3), nans);
}

using ConstHitBytes = Rows<const std::uint8_t, sizeof(Hit)>;

/// Writes write(view, hit) to the row of each hit in `out`.
template <class Number, class Write>
void for_each_hit(SceneHandle& scene, const ConstHitBytes& hits, const Rows<Number, 3>& out,
                  const Write& write) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  scene.work([&](Renderer& renderer) {
    const detail::SceneView& view = detail::prepared_of(renderer).view;
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
      with_corners_ahead(view, all, begin, end, [&](std::size_t i) {
        const auto value = write(view, all[i]);
        std::copy_n(&value.x, 3, out.data() + 3 * i);
      });
    });
  });
}

/// Writes the points of hits as doubles, or NaN for a miss.
void places(SceneHandle& scene, const ConstHitBytes& hits, const Rows<double, 3>& out) {
  const dvec3 origin(scene.scene().origin());
  for_each_hit(scene, hits, out, [&](const detail::SceneView& view, const Hit& hit) {
    return detail::place_on(view, origin, hit.triangle, hit.u, hit.v);
  });
}

/// Writes the unit normals of the hit triangles, or 0 for a miss.
void normals(SceneHandle& scene, const ConstHitBytes& hits, const Rows<float, 3>& out) {
  for_each_hit(scene, hits, out, [](const detail::SceneView& view, const Hit& hit) {
    return detail::normal_on(view, hit);
  });
}

/// Writes the index of the mesh, the instance or the triangle of each hit, or -1 for a miss.
/// `starts`: the first triangle of each mesh after the first. `part`: which of the three, as the
/// number of a LocationPart.
void located(const SceneHandle& handle, const ConstHitBytes& hits,
             const Numbers<const std::uint32_t>& starts, std::uint32_t part,
             const Numbers<std::int64_t>& out) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  const auto& instances = handle.scene().data()->instances;
  detail::SceneView view{};
  view.instances.list = instances.data();
  view.instances.count = static_cast<std::uint32_t>(instances.size());
  const detail::MeshStarts meshes{starts.data(), static_cast<std::uint32_t>(starts.shape(0))};
  handle.on_threads([&] {
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i)
        out.data()[i] = detail::location_part(detail::location_of(view, meshes, all[i].triangle),
                                              detail::LocationPart{part});
    });
  });
}

/// Writes what Open3D reports about hits, in one pass over them. The numbers of mesh and triangle
/// are as in `located`, but 2^32 - 1 for a miss. t of a miss is infinite.
void open3d_parts(SceneHandle& scene, const ConstHitBytes& hits,
                  const Numbers<const std::uint32_t>& starts, const Numbers<float>& t,
                  const Numbers<std::uint32_t>& meshes, const Numbers<std::uint32_t>& triangles,
                  const Rows<float, 2>& weights, const std::optional<Rows<float, 3>>& out_normals) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  const detail::MeshStarts first{starts.data(), static_cast<std::uint32_t>(starts.shape(0))};
  scene.work([&](Renderer& renderer) {
    const detail::SceneView& view = detail::prepared_of(renderer).view;
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 14, [&](auto begin, auto end) {
      with_corners_ahead(view, all, begin, end, [&](std::size_t i) {
        const Hit& hit = all[i];
        const detail::Location64 at = detail::location_of(view, first, hit.triangle);
        t.data()[i] = hit.found() ? hit.t : detail::unbounded();
        meshes.data()[i] = static_cast<std::uint32_t>(at.mesh);
        triangles.data()[i] = static_cast<std::uint32_t>(at.triangle);
        weights.data()[2 * i] = hit.u;
        weights.data()[2 * i + 1] = hit.v;
        if (!out_normals) return;
        const vec3 normal = detail::normal_on(view, hit);
        std::copy_n(&normal.x, 3, out_normals->data() + 3 * i);
      });
    });
  });
}

/// Writes the rays of a pinhole camera, row by row. They start at `eye`. Their direction is `way`
/// (a 3x3 matrix, row by row) times (x, y, 1), the centre of the pixel.
void pinhole_rays(std::uint32_t width, const std::array<double, 3>& eye,
                  const std::array<double, 9>& way, const Rows<float, 6>& rays) {
  without_gil([&] {
    detail::for_each_range<std::size_t>(rays.shape(0), 1 << 14, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i) {
        const double x = static_cast<double>(i % width) + 0.5;
        const double y = static_cast<double>(i / width) + 0.5;
        float* const ray = rays.data() + 6 * i;
        for (std::size_t k = 0; k < 3; ++k) {
          ray[k] = static_cast<float>(eye[k]);
          ray[3 + k] = static_cast<float>(way[3 * k] * x + way[3 * k + 1] * y + way[3 * k + 2]);
        }
      }
    });
  });
}

/// Writes the index of the part to which each hit belongs, or -1 for a miss.
void parts(const SceneHandle& handle, const ConstHitBytes& hits, const Numbers<std::int64_t>& out) {
  const Hit* const all = reinterpret_cast<const Hit*>(hits.data());
  const Scene& scene = handle.scene();
  handle.on_threads([&] {
    detail::for_each_range<std::size_t>(hits.shape(0), 1 << 12, [&](auto begin, auto end) {
      for (std::size_t i = begin; i < end; ++i)
        out.data()[i] = all[i].found() ? std::int64_t{scene.locate(all[i].triangle).part} : -1;
    });
  });
}

/// A member of surface points as an array, in rows of `columns` numbers.
template <class Number, class Read>
nb::object column(const std::vector<SurfacePoint>& points, std::size_t columns, Read read) {
  std::vector<Number> numbers(points.size() * columns);
  for (std::size_t i = 0; i < points.size(); ++i) read(points[i], numbers.data() + i * columns);
  return nb::cast(owned_array<Number>(std::move(numbers), columns));
}

/// The properties of the surface at each hit, by name.
nb::dict surfaces(SceneHandle& scene, const ConstHitBytes& hits) {
  std::vector<SurfacePoint> points(hits.shape(0));
  const Span<const Hit> all(reinterpret_cast<const Hit*>(hits.data()), hits.shape(0));
  scene.work([&](Renderer& renderer) { renderer.surfaces(all, points); });
  nb::dict out;
  out["position"] = column<double>(
      points, 3, [](const SurfacePoint& p, double* to) { std::copy_n(&p.position.x, 3, to); });
  const auto vectors = [&](const char* name, Vec3f SurfacePoint::*member) {
    out[name] = column<float>(
        points, 3, [&](const SurfacePoint& p, float* to) { std::copy_n(&(p.*member).x, 3, to); });
  };
  vectors("normal", &SurfacePoint::normal);
  vectors("geometric_normal", &SurfacePoint::geometric_normal);
  out["uv"] = column<float>(
      points, 2, [](const SurfacePoint& p, float* to) { std::copy_n(p.texcoord, 2, to); });
  vectors("vertex_color", &SurfacePoint::vertex_color);
  vectors("texture_color", &SurfacePoint::texture_color);
  vectors("color", &SurfacePoint::color);
  vectors("emission", &SurfacePoint::emission);
  const auto numbers = [&](const char* name, float SurfacePoint::*member) {
    out[name] =
        column<float>(points, 1, [&](const SurfacePoint& p, float* to) { *to = p.*member; });
  };
  numbers("roughness", &SurfacePoint::roughness);
  numbers("metallic", &SurfacePoint::metallic);
  numbers("opacity", &SurfacePoint::opacity);
  out["material"] = column<std::int64_t>(points, 1, [](const SurfacePoint& p, std::int64_t* to) {
    *to = p.material == kNoTriangle ? -1 : std::int64_t{p.material};
  });
  return out;
}

}  // namespace

Rays::Special Rays::count_special() const {
  return detail::reduce_ranges<std::size_t>(
      0, count_, std::size_t{1} << 14, Special{},
      [&](std::size_t begin, std::size_t end, Special found) {
        for (std::size_t i = begin; i < end; ++i) {
          found.nans += arrays_.has_nan(i) ? 1 : 0;
          found.scaled += arrays_.is_scaled(i) ? 1 : 0;
        }
        return found;
      },
      [](const Special& a, const Special& b) {
        return Special{a.nans + b.nans, a.scaled + b.scaled};
      });
}

void bind_casts(nb::module_& module, nb::class_<SceneHandle>& scene) {
  nb::class_<Rays>(module, "Rays")
      .def(nb::init<Vectors, Vectors, Limits, Limits, Worlds, std::uint32_t, Words, Words, Words>(),
           "origins"_a, "directions"_a, "t_min"_a, "t_max"_a, "worlds"_a.none(), "sides"_a,
           "masks"_a.none(), "skip"_a.none(), "skip_instance"_a.none());
  module.def("pinhole_rays", &pinhole_rays, "width"_a, "eye"_a, "way"_a, "rays"_a);
  scene.def("cast", &cast, "rays"_a, "hits"_a, "distances"_a.none(), "places"_a.none())
      .def("any", &any, "rays"_a, "found"_a)
      .def("count", &count, "rays"_a, "counts"_a)
      .def("hits_per_triangle", &hits_per_triangle, "rays"_a, "counts"_a)
      .def("all", &all, "rays"_a)
      .def("places", &places, "hits"_a, "points"_a)
      .def("normals", &normals, "hits"_a, "out"_a)
      .def("open3d_parts", &open3d_parts, "hits"_a, "starts"_a, "t"_a, "meshes"_a, "triangles"_a,
           "weights"_a, "normals"_a.none())
      .def("parts", &parts, "hits"_a, "out"_a)
      .def("surfaces", &surfaces, "hits"_a)
      .def("located", &located, "hits"_a, "starts"_a, "part"_a, "out"_a);
}

}  // namespace ballotcast::python
