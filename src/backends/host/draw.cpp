#include "backends/host/draw.hpp"

#include "backends/cpu/cpu_machine.hpp"
#include "kernels/frame.hpp"

namespace ballotcast::detail {

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
