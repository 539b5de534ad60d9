// The machine of the CPU backend.
#pragma once

#include "backends/cpu/shade_ahead.hpp"
#include "backends/cpu/smooth_lanes.hpp"
#include "backends/host/host_machine.hpp"

namespace ballotcast::detail {

/// As HostMachine, but some kernels run in the lanes of vectors, whole or in part.
class CpuMachine : public HostMachine {
 public:
  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    if constexpr (std::is_same_v<Kernel, SmoothLight>)
      smooth_in_lanes(views...);
    else if constexpr (kShadesAhead<Kernel>)
      shade_ahead<Kernel>(count, views...);
    else
      HostMachine::each<Kernel>(description, count, views...);
  }
};

}  // namespace ballotcast::detail
