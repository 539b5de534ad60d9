// Rays and points in arrays of other programs, with any strides, as the library takes them; and
// hits as arrays of their single fields. Each struct is a step: item(i, ...) handles ray i.
#pragma once

#include "kernels/queries/hit_fields.hpp"

namespace ballotcast::detail {

/// Numbers in an array of up to kDims axes; their components are along a last axis.
struct StridedNumbers {
  static constexpr u32 kDims = 4;

  const void* data;   // floats or doubles; null: `value` stands for all
  i64 stride[kDims];  // in elements
  i64 step;           // from one component to the next
  u32 is_double;
  double value[3];

  BC_HD double at(i64 element, u32 component) const {
    if (!data) return value[component];
    const i64 k = element + step * component;
    return is_double ? static_cast<const double*>(data)[k]
                     : double{static_cast<const float*>(data)[k]};
  }
};

/// The size of the axes that arrays share. Elements of all arrays are numbered in C order.
struct ArrayShape {
  u32 dims;
  u32 size[StridedNumbers::kDims];

  /// The place of the first component of element i. A 32-bit index is faster on a GPU.
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

/// Rays in arrays.
struct RayArrays {
  ArrayShape shape;
  StridedNumbers origins, directions, t_min, t_max;
  dvec3 origin;  // of the scene: subtracted from `origins`
  Ball ball;     // a ball around the scene
  u32 precise;   // 1 if rays of doubles keep their precision
  // 1 if directions of floats may be too short or too long to be cast as they are (is_valid). Such
  // rays are cast like rays of doubles, and store_scaled_t must set their t.
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
  /// True for a ray of floats that is cast in another scale.
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

/// Points in an array.
struct PointArray {
  ArrayShape shape;
  StridedNumbers points;
  dvec3 origin;  // of the scene

  /// The point, relative to that origin.
  template <class Index>
  BC_HD dvec3 point(Index i) const {
    return shape.vector(points, i) - origin;
  }
};

/// `count` points one behind the other.
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

/// Converts ids to the form of RayFilter::skip. Ids that no triangle has skip nothing.
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

/// Stores whether something was found, for hits and for closest points. (Nearest has its id, u and
/// v at the same offsets as Hit, so this kernel and those for ids, u and v serve both.)
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

/// Stores t as doubles, on the plane of the triangle.
struct StorePreciseT {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const RayArrays& arrays, const Hit* hits,
                         double* t) {
    t[i] = of(scene, arrays.precise_ray(i), hits[i]);
  }
  BC_HD static double of(const SceneView& scene, const PreciseRay& ray, const Hit& hit) {
    return hit.found() ? ray.distance(hit.t, corners_of(scene, hit.triangle)) : double{unbounded()};
  }
};

/// The same for all hits of ray i: those from starts[i] up to starts[i + 1].
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

/// Sets t of a hit of ray i to t along the given ray. Only if is_scaled(i).
template <class Index>
BC_HD inline void store_scaled_t(Index i, const SceneView& scene, const RayArrays& arrays,
                                 Hit& hit) {
  hit.t = static_cast<float>(hit.found() ? StorePreciseT::of(scene, arrays.precise_ray(i), hit)
                                         : arrays.shape.number(arrays.t_max, i));
}

/// Stores the place of a hit of a ray of doubles: on the ray, at the precise t.
struct StorePrecisePlace {
  template <class Index>
  BC_HD static void item(Index i, const RayArrays& arrays, const Hit* hits, const double* t,
                         dvec3* places) {
    places[i] = hits[i].found() ? arrays.place_at(i, t[i])
                                : dvec3(std::numeric_limits<double>::quiet_NaN());
  }
};

/// The same for all hits of ray i.
struct StorePrecisePlacesOfAll {
  template <class Index>
  BC_HD static void item(Index i, const RayArrays& arrays, const u64* starts, const double* t,
                         dvec3* places) {
    for (u64 k = starts[i]; k < starts[i + 1u]; ++k) places[k] = arrays.place_at(i, t[k]);
  }
};

struct StoreNormal {
  BC_HD static void item(u32 i, const SceneView& scene, const Hit* hits, vec3* normals) {
    normals[i] = normal_on(scene, hits[i].triangle);
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

/// Stores the distance of a point of doubles from its closest point.
struct StoreDistance {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const PointArray& array,
                         const Nearest* nearest, double* distances) {
    distances[i] = distance_from(scene, array.point(i), nearest[i].triangle);
  }
};

/// Stores the closest point to a point of doubles.
struct StoreClosestPlace {
  template <class Index>
  BC_HD static void item(Index i, const SceneView& scene, const PointArray& array,
                         const Nearest* nearest, dvec3* places) {
    places[i] = closest_place_on(scene, array.origin, array.point(i), nearest[i].triangle);
  }
};

/// Makes distances of inside points negative.
template <class Real>
struct Negate {
  BC_HD static void item(u32 i, const u8* inside, Real* distances) {
    if (inside[i]) distances[i] = -distances[i];
  }
};

}  // namespace ballotcast::detail
