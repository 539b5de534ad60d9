// The kernels of queries that are no casts.
#include "backends/cuda/view.cuh"

namespace ballotcast::detail {

CastCounts answer_on_device(DeviceScene& scene, Query query,
                            FunctionRef<CastCounts(const Query& cast)> cast) {
  if (query.count == 0) return {};
  if (query.info->way == Way::cast) return cast(query);
  if (query.info->way == Way::on_hits) return run_on_hits(HitQueries{}, scene.machine, query, cast);
  query.triangles = scene.arrays->view.triangle_count;
  with_view(scene, query.worlds, [&](const auto& view) {
    run_query(RayQueries{}, scene.machine, view, query);
    run_query(PointQueries{}, scene.machine, view, query);
  });
  return {};
}

}  // namespace ballotcast::detail
