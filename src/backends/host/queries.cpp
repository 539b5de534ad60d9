#include "backends/host/queries.hpp"

#include "backends/host/host_machine.hpp"
#include "backends/host_view.hpp"
#include "kernels/closest_point.hpp"
#include "kernels/crossings.hpp"
#include "kernels/winding_number.hpp"

namespace ballotcast::detail {

void count_crossings_on_host(const PreparedScene& scene, const WorldRays& rays, u32* counts,
                             u32 count) {
  with_host_view(scene, rays.worlds, [&](const auto& view) {
    HostMachine().each<CountCrossings>("count crossings", count, view, rays.rays, counts);
  });
}

void store_crossings_on_host(const PreparedScene& scene, const WorldRays& rays, const u64* starts,
                             Hit* hits, u32 count) {
  with_host_view(scene, rays.worlds, [&](const auto& view) {
    HostMachine().each<StoreCrossings>("store crossings", count, view, rays.rays, starts, hits);
  });
}

void closest_points_on_host(const PreparedScene& scene, const WorldPoints<Vec3f>& points,
                            float max_distance, Nearest* nearest, u32 count) {
  with_host_view(scene, points.worlds, [&](const auto& view) {
    HostMachine().each<FindClosestPoint>("closest points", count, view, points.points, max_distance,
                                         nearest);
  });
}

void contains_on_host(const PreparedScene& scene, const WorldPoints<Vec3d>& points, InsideRule rule,
                      u8* inside, u32 count) {
  with_host_view(scene, points.worlds, [&](const auto& view) {
    HostMachine machine;
    test_inside(machine, view, plain_points(points.points, count), rule,
                scene.arrays.triangle_count, inside, count);
  });
}

void winding_numbers_on_host(const PreparedScene& scene, const WorldPoints<Vec3d>& points,
                             double* numbers, u32 count) {
  with_host_view(scene, points.worlds, [&](const auto& view) {
    HostMachine().each<FindWindingNumber>("winding numbers", count, view,
                                          plain_points(points.points, count),
                                          scene.arrays.triangle_count, numbers);
  });
}

}  // namespace ballotcast::detail
