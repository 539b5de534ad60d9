#include "backends/host/queries.hpp"

#include "backends/host/host_machine.hpp"
#include "backends/host_view.hpp"

namespace ballotcast::detail {

void answer_on_host(const PreparedScene& scene, Query query) {
  query.triangles = scene.arrays.triangle_count;
  HostMachine machine;
  with_host_view(scene, query.worlds, [&](const auto& view) {
    run_query(RayQueries{}, machine, view, query);
    run_query(PointQueries{}, machine, view, query);
  });
}

}  // namespace ballotcast::detail
