// Kernels without collective operations. All machines in host memory share this code, which is
// compiled at most once for each machine, and not for each kind of scene.
#include "backends/cpu/cpu_machine.hpp"
#include "backends/host/host_machine.hpp"
#include "backends/host/host_scene.hpp"
#include "kernels/frame/frame_drawer.hpp"

namespace ballotcast::detail {

void run_on_host(const PreparedScene& scene, Query query) {
  query.triangles = scene.arrays.triangle_count;
  HostMachine machine;
  with_host_view<Kernels::few>(scene, query, [&](const auto& view) {
    run_query(RayQueries{}, machine, view, query);
    run_query(PointQueries{}, machine, view, query);
  });
}

namespace {

template <class Machine>
DrawnFrame drawn(Machine& machine, const HostDrawing& d) {
  DrawnFrame frame;
  draw_frame(machine, d.scene, d.settings, d.at_once, d.cast, d.report, d.films, frame);
  return frame;
}

}  // namespace

DrawnFrame draw_on(HostMachine& machine, const HostDrawing& drawing) {
  return drawn(machine, drawing);
}

DrawnFrame draw_on(CpuMachine& machine, const HostDrawing& drawing) {
  return drawn(machine, drawing);
}

}  // namespace ballotcast::detail
