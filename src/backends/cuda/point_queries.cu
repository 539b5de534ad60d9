// The kernels of queries about points.
#include "backends/cuda/view.cuh"

namespace ballotcast::detail {

void answer_about_points(DeviceScene& scene, const Query& query) {
  with_view(scene, query.worlds,
            [&](const auto& view) { run_query(PointQueries{}, scene.machine, view, query); });
}

}  // namespace ballotcast::detail
