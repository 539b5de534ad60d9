// Strategies warp-atom, warp-release and warp-system: variants of warp-ballot with another kind of
// atomic.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

// The kinds of atomic addition, in terms of PTX. Strategy warp-ballot uses red.relaxed.gpu: relaxed
// order, device scope, no result.

// atom.relaxed.gpu: returns the previous value.
struct AddWithResult {};
// red.release.gpu: a lane that reads the sum with acquire order sees all earlier stores of the lane
// that adds.
struct AddInReleaseOrder {};
// red.relaxed.sys: system scope, so that the host and other GPUs may add, too.
struct AddForSystem {};

/// Adds `value` to *address with the kind of atomic `How`. Overloaded for lanes on a GPU
/// (backends/cuda/adds.cuh). For emulated lanes, and where atomics are counted, all kinds are the
/// same.
template <class How, class Lane>
BC_DEVICE inline void add_as(How, Lane& lane, u32* address, u32 value) {
  lane.fetch_add(address, value);
}

/// Strategy warp-ballot with the kind of atomic `How`.
template <class How>
struct WarpBallotAs {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const u32 ayes = lane.ballot(staged);
    if (lane.lane() == 0u && ayes != 0u) add_as(How{}, lane, counter.value, count_bits(ayes));
  }
};

struct WarpAtom : WarpBallotAs<AddWithResult> {
  static constexpr StrategyInfo info{"warp-atom", Use::report, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "as warp-ballot, by an atomic that returns the sum before"};
};

struct WarpRelease : WarpBallotAs<AddInReleaseOrder> {
  static constexpr StrategyInfo info{"warp-release", Use::report, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "as warp-ballot, by an atomic of release order"};
};

struct WarpSystem : WarpBallotAs<AddForSystem> {
  static constexpr StrategyInfo info{"warp-system", Use::report, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "as warp-ballot, by an atomic that the host may see, too"};
};

}  // namespace ballotcast::detail
