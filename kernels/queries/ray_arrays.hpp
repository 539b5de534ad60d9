// Rays and points in strided arrays of other programs (NumPy, CUDA), as the library reads them, and
// the fields of hits as separate arrays. Each struct with a function item(i, ...) is a step of a
// kernel, which handles element i.
#pragma once

#include "kernels/queries/hit_fields.hpp"

namespace ballotcast::detail {

/// An array of numbers with up to kDims axes. The components of an element (x, y, z) lie along one
/// more axis, the last one.
struct StridedNumbers {
  static constexpr u32 kDims = 4;

  const void* data;   // floats or doubles; null: all elements are `value`
  i64 stride[kDims];  // per axis, in numbers
  i64 step;           // from one component to the next, in numbers
  u32 is_double;      // 1: doubles; 0: floats
  double value[3];

  BC_HD double at(i64 element, u32 component) const {
    if (!data) return value[component];
    const i64 k = element + step * component;
    return is_double ? static_cast<const double*>(data)[k]
                     : double{static_cast<const float*>(data)[k]};
  }
};

/// The sizes of the axes, which all arrays of a query share. Elements are numbered in C order.
struct ArrayShape {
  u32 dims;
  u32 size[StridedNumbers::kDims];

  /// The index in numbers.data of the first component of element i. A 32-bit `Index` is faster on a
  /// GPU.
  template <class Index>
  BC_HD i64 place(const StridedNumbers& numbers, Index i) const {
    if (dims == 1u) return static_cast<i64>(i) * numbers.stride[0];
    i64 at = 0;
    for (u32 d = dims; d-- > 0u;) {
      at += static_cast<i64>(i % size[d]) * numbers.stride[d];
      i /= size[d];
    }
    return at;
  }
  template <class Index>
  BC_HD double number(const StridedNumbers& numbers, Index i) const {
    return numbers.at(place(numbers, i), 0u);
  }
  template <class Index>
  BC_HD dvec3 vector(const StridedNumbers& numbers, Index i) const {
    const i64 at = place(numbers, i);
    return {numbers.at(at, 0u), numbers.at(at, 1u), numbers.at(at, 2u)};
  }
};

struct RayArrays {
  ArrayShape shape;
  StridedNumbers origins, directions, t_min, t_max;
  dvec3 origin;  // Scene::origin(), which is subtracted from `origins`
  Ball ball;     // a ball around the scene
  u32 precise;   // 1 if rays that are given as doubles keep their precision
  // 1 if some directions in floats may be too short or too long to be cast unchanged (is_valid).
  // Such rays are cast like rays of doubles, and store_scaled_t must then set their t.
  u32 scales;

  template <class Index>
  BC_HD PreciseRay precise_ray(Index i) const {
    return {shape.vector(origins, i) - origin, shape.vector(directions, i), ball};
  }
  template <class Index>
  BC_HD Ray ray(Index i) const {
    const double from = shape.number(t_min, i), to = shape.number(t_max, i);
    if (precise || is_scaled(i)) return precise_ray(i).to_cast(from, to);
    return {vec3(shape.vector(origins, i) - origin), static_cast<float>(from),
            vec3(shape.vector(directions, i)), static_cast<float>(to)};
  }
  /// True for a ray of floats whose direction must be scaled before it is cast.
  template <class Index>
  BC_HD bool is_scaled(Index i) const {
    if (precise || !scales) return false;
    const dvec3 d = shape.vector(directions, i);
    const double longest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
    return (longest > 0.0 && longest < double{kSmallestSlope}) ||
           (longest > double{kLargestSlope} && longest < double{unbounded()});
  }
  /// The point of ray i at `t`, in world coordinates.
  template <class Index>
  BC_HD dvec3 place_at(Index i, double t) const {
    return shape.vector(origins, i) + t * shape.vector(directions, i);
  }
  template <class Index>
  BC_HD bool has_nan(Index i) const {
    const dvec3 o = shape.vector(origins, i), d = shape.vector(directions, i);
    const double from = shape.number(t_min, i), to = shape.number(t_max, i);
    return o.x != o.x || o.y != o.y || o.z != o.z || d.x != d.x || d.y != d.y || d.z != d.z ||
           from != from || to != to;
  }
};

struct PointArray {
  ArrayShape shape;
  StridedNumbers points;
  dvec3 origin;  // Scene::origin(), which is subtracted from `points`

  /// Point i, relative to `origin`.
  template <class Index>
  BC_HD dvec3 point(Index i) const {
    return shape.vector(points, i) - origin;
  }
};

/// A PointArray for `count` points that are stored one behind the other.
template <class Point>
PointArray plain_points(const Point* points, u32 count) {
  const u32 is_double = sizeof(points->x) == sizeof(double) ? 1u : 0u;
  return {{1u, {count}}, {points, {3}, 1, is_double, {}}, dvec3(0.0)};
}

struct PackRay {
  BC_HD static void item(u32 i, const RayArrays& arrays, Ray* rays) { rays[i] = arrays.ray(i); }
};

struct PackPoint {
  BC_HD static void item(u32 i, const PointArray& array, Vec3f* points) {
    points[i] = vec3(array.point(i));
  }
};

/// Converts ids to the form of RayFilter::skip. An id that no triangle has becomes kNoTriangle,
/// which skips nothing.
struct PackSkip {
  BC_HD static void item(u32 i, const i64* ids, u32* skip) {
    skip[i] = ids[i] >= 0 && ids[i] < i64{kNoTriangle} ? static_cast<u32>(ids[i]) : kNoTriangle;
  }
};

struct MarkNan {
  BC_HD static void item(u32 i, const RayArrays& arrays, u32* marks) {
    marks[i] = arrays.has_nan(i) ? 1u : 0u;
  }
};

/// Stores 1 for each hit or closest point that was found, else 0. (Nearest has its id, u and v at
/// the same offsets as Hit, so this kernel and those for ids, u and v serve both.)
struct StoreFound {
  BC_HD static void item(u32 i, const Hit* hits, u8* found) { found[i] = hits[i].found() ? 1 : 0; }
};

struct StoreId {
  BC_HD static void item(u32 i, const Hit* hits, i64* ids) { ids[i] = i64{hits[i].triangle}; }
};

/// Stores t as floats: infinite for a miss.
struct StoreT {
  BC_HD static void item(u32 i, const Hit* hits, float* t) {
    t[i] = hits[i].found() ? hits[i].t : unbounded();
  }
};

/// Stores the t of hits in doubles, where the ray meets the plane of the hit triangle.
struct StorePreciseT {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const RayArrays& arrays, const Hit* hits,
                         double* t) {
    t[i] = of(scene, arrays.precise_ray(i), hits[i]);
  }
  BC_HD static double of(const SceneView& scene, const PreciseRay& ray, const Hit& hit) {
    return hit.found() ? ray.distance(hit.t, corners_of(scene, hit.triangle, hit.u, hit.v))
                       : double{unbounded()};
  }
};

/// Stores t in doubles for all hits of ray i: those from starts[i] up to starts[i + 1].
struct StorePreciseTOfAll {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const RayArrays& arrays,
                         const u64* starts, const Hit* hits, double* t) {
    const PreciseRay ray = arrays.precise_ray(i);
    for (u64 k = starts[i]; k < starts[i + 1u]; ++k) t[k] = StorePreciseT::of(scene, ray, hits[k]);
  }
};

struct StorePlace {
  BC_HD static void item(u32 i, const SceneView& scene, const dvec3& origin, const Hit* hits,
                         dvec3* places) {
    const Hit hit = hits[i];
    places[i] = place_on(scene, origin, hit.triangle, hit.u, hit.v);
  }
};

/// Sets the t of a hit of ray i to the t along the original ray. Only for rays with is_scaled(i).
template <class Index>
BC_HD inline void store_scaled_t(Index i, const SceneView& scene, const RayArrays& arrays,
                                 Hit& hit) {
  hit.t = static_cast<float>(hit.found() ? StorePreciseT::of(scene, arrays.precise_ray(i), hit)
                                         : arrays.shape.number(arrays.t_max, i));
}

/// Stores the point of a hit of a ray in doubles: the point of the ray at its t in doubles.
struct StorePrecisePlace {
  template <class Index>
  BC_HD static void item(Index i, const RayArrays& arrays, const Hit* hits, const double* t,
                         dvec3* places) {
    places[i] = hits[i].found() ? arrays.place_at(i, t[i])
                                : dvec3(std::numeric_limits<double>::quiet_NaN());
  }
};

/// Stores the points of all hits of ray i.
struct StorePrecisePlacesOfAll {
  template <class Index>
  BC_HD static void item(Index i, const RayArrays& arrays, const u64* starts, const double* t,
                         dvec3* places) {
    for (u64 k = starts[i]; k < starts[i + 1u]; ++k) places[k] = arrays.place_at(i, t[k]);
  }
};

struct StoreNormal {
  BC_HD static void item(u32 i, const SceneView& scene, const Hit* hits, vec3* normals) {
    normals[i] = normal_on(scene, hits[i]);
  }
};

struct StoreWeights {
  BC_HD static void item(u32 i, const Hit* hits, vec2* weights) {
    weights[i] = {hits[i].u, hits[i].v};
  }
};

enum class LocationPart : u32 { instance, mesh, triangle };

BC_HD inline i64 location_part(const Location64& at, LocationPart part) {
  return part == LocationPart::instance ? at.instance
         : part == LocationPart::mesh   ? at.mesh
                                        : at.triangle;
}

struct StoreLocation {
  BC_HD static void item(u32 i, const SceneView& scene, const MeshStarts& starts, LocationPart part,
                         const Hit* hits, i64* numbers) {
    numbers[i] = location_part(location_of(scene, starts, hits[i].triangle), part);
  }
};

/// Stores the distance of a point in doubles from its closest point.
struct StoreDistance {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const PointArray& array,
                         const Nearest* nearest, double* distances) {
    distances[i] = distance_from(scene, array.point(i), nearest[i].triangle);
  }
};

/// Stores the closest point of the scene, for a point in doubles.
struct StoreClosestPlace {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const PointArray& array,
                         const Nearest* nearest, dvec3* places) {
    places[i] = closest_place_on(scene, array.origin, array.point(i), nearest[i].triangle);
  }
};

/// Makes the distances of points that are inside negative.
template <class Real>
struct Negate {
  BC_HD static void item(u32 i, const u8* inside, Real* distances) {
    if (inside[i]) distances[i] = -distances[i];
  }
};

}  // namespace ballotcast::detail
