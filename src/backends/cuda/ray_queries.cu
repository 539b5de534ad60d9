// The kernels of queries about rays that are no casts, and who answers which query.
#include "backends/cuda/view.cuh"

namespace ballotcast::detail {

CastCounts answer_on_device(DeviceScene& scene, Query query) {
  if (query.count == 0) return {};
  if (query.info->way == Way::cast) return cast_on_device(scene, query);
  if (query.info->way == Way::on_hits)
    return run_on_hits(HitQueries{}, scene.machine, query,
                       [&](const Query& cast) { return cast_on_device(scene, cast); });
  query.triangles = scene.arrays->view.triangle_count;
  if (query.is_about_points())
    answer_about_points(scene, query);
  else
    with_view(scene, query.worlds,
              [&](const auto& view) { run_query(RayQueries{}, scene.machine, view, query); });
  return {};
}

}  // namespace ballotcast::detail
