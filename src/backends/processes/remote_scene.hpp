// A helper, as the leader sees it: one more machine.
#pragma once

#include <memory>
#include <vector>

#include "backends/device/backend.hpp"
#include "backends/processes/calls.hpp"

namespace ballotcast::detail {

/// The call that the leader is in.
struct LeaderCall {
  Calls calls;
  u64 attempt = 0;          // grows with each call, and each time that a call is made again
  std::vector<bool> reads;  // by rank: true if the leader's machines read the memory of its machine
};

/// Makes the scene of a helper. Its calls only work within those of the leader's scene, whose
/// arguments they get parts of.
std::unique_ptr<ResidentScene> make_remote_scene(Processes& processes, u32 rank,
                                                 const LeaderCall& call);

}  // namespace ballotcast::detail
