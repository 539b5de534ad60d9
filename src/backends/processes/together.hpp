// Calls that all processes make together.
#pragma once

#include <optional>
#include <vector>

#include "backends/processes/calls.hpp"
#include "backends/processes/remote_scene.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// One end of these calls.
class Together {
 public:
  explicit Together(Processes& processes) : processes_(processes) {}

  /// Runs a call. The leader calls lead(), which hands out pieces: items or rows. A helper calls
  /// help(first, count) for each piece that it gets.
  ///
  /// If memory runs out in either, the call can be made again with smaller batches; the others take
  /// no notice. A helper then begins with the piece that it had.
  template <class Lead, class Help>
  void call(CallKind kind, const std::vector<u64>& what, const Lead& lead, const Help& help) {
    call_.calls.begin(kind, what);
    ++call_.attempt;
    if (processes_.leads()) {
      lead();
      Order end{call_.calls.id(), 0, 0};
      for (u32 rank = 1; rank < processes_.count(); ++rank)
        pass_elements(&end, 1, sending_to(processes_, rank));
    } else {
      while (is_ordered()) {
        help(order_->first, order_->count);
        order_.reset();
      }
      order_.reset();
    }
    call_.calls.end();
  }

  /// A helper's results go to the leader.
  template <class T>
  void reply(const T* elements, u64 count) {
    pass_elements(elements, count, sending_to(processes_, 0));
  }
  /// The leader's results go to all.
  template <class T>
  void spread(T* elements, u64 count) {
    pass_elements(elements, count, broadcasting(processes_));
  }

  Processes& processes() { return processes_; }
  /// For the leader's remote scenes.
  const LeaderCall& leader_call() const { return call_; }

  /// For a helper that draws a piece: see Order::lends.
  u64 lends() const { return order_->lends; }

  /// Finds out whose memory the machines of the leader read. All processes call it, with their
  /// scenes.
  void find_readable(ResidentScene& scene) {
    call_.reads.assign(processes_.count(), false);
    if (!processes_.leads()) {
      std::optional<MemoryProbe> probe = scene.lend();
      pass_optional(probe, sending_to(processes_, 0));
      return;
    }
    for (u32 rank = 1; rank < processes_.count(); ++rank) {
      std::optional<MemoryProbe> probe;
      pass_optional(probe, receiving_from(processes_, rank));
      call_.reads[rank] = probe && scene.reads(*probe);
    }
  }

 private:
  /// Waits for a piece, unless there is one. False if the call has ended.
  bool is_ordered() {
    if (!order_) {
      order_.emplace();
      pass_elements(&*order_, 1, receiving_from(processes_, 0));
    }
    if (order_->call != call_.calls.id())
      throw UsageError(
          "this process does something else than rank 0: all must have the same options and the "
          "same files");
    return order_->count > 0;
  }

  Processes& processes_;
  LeaderCall call_;
  std::optional<Order> order_;  // what a helper is at
};

}  // namespace ballotcast::detail
