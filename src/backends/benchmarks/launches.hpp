// Launches the kernels of benchmarks, with the same code on every machine. A Machine
// (kernels/pipelines/machine.hpp) has launch<Kernel>(description, blocks, block_size, views...).
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "backends/benchmarks/runners.hpp"
#include "kernels/counting.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/primitives/groups.hpp"
#include "kernels/primitives/reductions/table.hpp"
#include "kernels/primitives/shuffles.hpp"
#include "kernels/primitives/votes.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "kernels/strategies/laboratory/table.hpp"
#include "kernels/strategies/table.hpp"
#include "kernels/synthetic/placement.hpp"
#include "kernels/synthetic/report.hpp"

namespace ballotcast::detail {

/// The number of words that a case (other than a reduction) writes.
inline std::size_t output_count(const VoteCase& c) { return std::size_t{2} * c.lanes; }
inline std::size_t output_count(const ShuffleCase& c) { return c.lanes; }
inline std::size_t output_count(const GroupCase& c) { return c.lanes + c.lanes / kWarpSize; }

template <class Machine>
void launch_case(Machine& machine, const VoteCase& c, u32* out) {
  require_valid(c);
  dispatch(VoteForms{}, "form of votes", c.form, [&](auto form) {
    dispatch(VoteKinds{}, "vote", c.vote, [&](auto vote) {
      using Kernel = VoteKernel<typename decltype(form)::type, typename decltype(vote)::type>;
      machine.template launch<Kernel>("votes", c.lanes / c.block_size, c.block_size, c.branches,
                                      c.rounds, out);
    });
  });
}

template <class Machine>
void launch_case(Machine& machine, const ShuffleCase& c, u32* out) {
  require_valid(c);
  dispatch(ShuffleForms{}, "form of shuffles", c.form, [&](auto form) {
    dispatch(ShuffleKinds{}, "shuffle", c.kind, [&](auto kind) {
      using Kernel = ShuffleKernel<typename decltype(form)::type, typename decltype(kind)::type>;
      machine.template launch<Kernel>("shuffles", c.lanes / c.block_size, c.block_size, c.width,
                                      c.rounds, out);
    });
  });
}

template <class Machine>
void launch_case(Machine& machine, const GroupCase& c, u32* out) {
  require_valid(c);
  machine.template launch<GroupKernel>("groups", c.lanes / c.block_size, c.block_size, c.group_size,
                                       c.rounds, out);
}

/// The memory of a reduction of `count` values: the values, the sums of this pass, and the sums of
/// the next pass. Each array of sums has ceil(count / 32) elements. All arrays are aligned to 16
/// bytes.
struct ReductionMemory {
  const u32* values;
  u32 *sums, *next_sums;
};

/// Runs passes of `Reduction` until one sum is left. Returns the address of that sum.
template <class Reduction, class Machine>
const u32* launch_passes(Machine& machine, const ReductionCase& c, ReductionMemory memory,
                         u32 lanes_at_once) {
  const u32* from = memory.values;
  u32 count = c.count;
  do {
    u32 blocks = (count + c.block_size - 1u) / c.block_size;
    if (Reduction::kStrided) {
      // One block sums few values, because a second pass would take longer. For more values, each
      // lane sums several values, with at most as many lanes as the machine can hold.
      const u32 most = lanes_at_once / c.block_size;
      blocks = blocks <= 16u ? 1u : blocks < 4u * most ? (blocks + 3u) / 4u : most;
    }
    machine.template launch<ReductionKernel<Reduction>>("reduction", blocks, c.block_size, from,
                                                        count, memory.sums);
    from = memory.sums;
    std::swap(memory.sums, memory.next_sums);
    count = blocks;
  } while (count > 1u);
  return from;
}

/// Runs the reduction c.name from the table Reductions or BrokenReductions. Returns a pointer to
/// the sum in the machine's memory.
template <class Machine>
const u32* launch_reduction(Machine& machine, const ReductionCase& c, const ReductionMemory& memory,
                            u32 lanes_at_once) {
  require_valid(c);
  const u32* sum = nullptr;
  const auto run = [&](auto row) {
    sum = launch_passes<typename decltype(row)::type>(machine, c, memory, lanes_at_once);
  };
  bool broken = false;
  for (const PrimitiveInfo& row : rows_of(BrokenReductions{})) broken |= row.name == c.name;
  if (broken)
    dispatch(BrokenReductions{}, "reduction", c.name, run);
  else
    dispatch(Reductions{}, "reduction", c.name, run);
  return sum;
}

/// Throws UsageError if the case sums more than `held`, the number of values that the runner has.
inline void require_values(const ReductionCase& c, std::size_t held) {
  if (c.count > held)
    throw UsageError("a sum of " + std::to_string(c.count) + " values: only " +
                     std::to_string(held) + " are available");
}

/// True if `name` is a row of kMachineReductions.
inline bool is_machine_reduction(std::string_view name) {
  for (const PrimitiveInfo& row : kMachineReductions)
    if (row.name == name) return true;
  return false;
}

/// A list of all strategies that are a single kernel, including broken ones.
template <class... Rows, class... Laboratory, class... Broken>
TypeList<Rows..., Laboratory..., Broken...> all_of(TypeList<Rows...>, TypeList<Laboratory...>,
                                                   TypeList<Broken...>);
using AllStrategies = decltype(all_of(Strategies{}, LaboratoryStrategies{}, BrokenStrategies{}));

template <class Machine>
class MachineSyntheticRunner : public SyntheticRunner {
 public:
  template <class... Arguments>
  explicit MachineSyntheticRunner(Arguments... arguments) : machine_(arguments...) {}

  SyntheticResult run(const SyntheticCase& c) override {
    const SyntheticView view = prepare(c);
    clear_counter();
    enqueue<Works>(machine_, c, view);
    std::vector<u32> words(kCounterWords);
    machine_.download(words.data(), static_cast<const u32*>(counter().value), words.size());
    SyntheticResult result;
    for (const u32 word : words) result.counter += word;
    if (c.kernel == SyntheticCase::Kernel::reserve) {
      const bool many = c.subject == WarpQueues::info.name;
      const u32 room = many ? room_of_queue(c) : c.rays;
      for (u32 k = 0; k < (many ? c.shards : 1u); ++k)
        read_queue(result.queue, k * room, std::min(words[k * kShardStride], room));
      if (c.payload_bytes != 0u) read_payloads(result, c);
    }
    return result;
  }

  u64 atomics(const SyntheticCase& c) override {
    const SyntheticView view = prepare(c);
    auto counted = machine_.template make<u64>(1);
    machine_.template each<ClearWord>("clear", 1u, counted.data());
    clear_counter();
    CountingMachine<Machine> counting(machine_, counted.data());
    // The work itself issues no atomics, so the cheapest work is enough to count those of the
    // report.
    SyntheticCase least = c;
    least.work = FlagWork::info.name;
    enqueue<TypeList<FlagWork>>(counting, least, view);
    u64 atomics = 0;
    machine_.download(&atomics, static_cast<const u64*>(counted.data()), 1);
    return atomics;
  }

 protected:
  SyntheticView prepare(const SyntheticCase& c) {
    SyntheticView view = view_of(c);
    if (c.work == MemoryWork::info.name) {
      if (grow(read_, std::size_t{2} * c.rays))
        machine_.template each<FillRead>("fill", 2u * c.rays, read_.data());
      grow(written_, c.rays);
    }
    if (c.kernel == SyntheticCase::Kernel::reserve) {
      const bool many = c.subject == WarpQueues::info.name;
      grow(queue_, many ? std::size_t{c.shards} * room_of_queue(c) : c.rays);
      grow(payloads_, std::size_t{c.rays} * quads_of(c));
      if (c.subject == LaterSlots::info.name) {
        grow(noted_, NotedLanes::memory_for(c.rays));
      }
    }
    view.read = read_.data();
    view.written = written_.data();
    return view;
  }

  void clear_counter() {
    machine_.template each<ClearCounter>("clear the counter", kCounterWords, counter());
  }

  /// Launches the kernel of `c` on `machine`. The work of `c` must be a row of SomeWorks.
  template <class SomeWorks, class AnyMachine>
  void enqueue(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view) {
    if (c.payload_bytes != 0u) return enqueue_payloads<SomeWorks>(machine, c, view);
    if (c.items > 1u) return enqueue_several<SomeWorks>(machine, c, view);
    const u32 blocks = blocks_for(c.rays, c.block_size);
    if (c.kernel == SyntheticCase::Kernel::placement) {
      dispatch(Placements{}, "placement", c.subject, [&](auto placement) {
        machine.template launch<typename decltype(placement)::type>("placement", blocks,
                                                                    c.block_size, view, counter());
      });
      return;
    }
    if (c.subject == LaterSlots::info.name)
      return enqueue_later<SomeWorks>(machine, c, view, blocks);
    dispatch(AllStrategies{}, "strategy", c.subject, [&](auto strategy_tag) {
      using Strategy = typename decltype(strategy_tag)::type;
      dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
        using Work = typename decltype(work_tag)::type;
        if constexpr (Strategy::info.reports())
          if (c.kernel == SyntheticCase::Kernel::report)
            return machine.template launch<ReportAfterWork<Work, Strategy>>(
                "report", blocks, c.block_size, view, counter_of<Strategy>(c));
        if constexpr (Strategy::info.reserves())
          if (c.kernel == SyntheticCase::Kernel::reserve)
            return machine.template launch<ReserveAfterWork<Work, Strategy>>(
                "reserve", blocks, c.block_size, view, slots(), counter_of<Strategy>(c));
        throw UsageError("atomics " + std::string(c.subject) + " can't " +
                         (c.kernel == SyntheticCase::Kernel::report ? "report" : "reserve") +
                         ", which this experiment needs");
      });
    });
  }

  Machine machine_;

 private:
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

  CounterView counter() { return machine_.cast_memory().counter(0); }

  SlotMemory slots() { return {queue_.data(), static_cast<u32>(queue_.size())}; }

  /// Memory for the ids of all lanes of the warps that share a queue of strategy warp-queues.
  static u32 room_of_queue(const SyntheticCase& c) {
    const u32 warps = blocks_for(c.rays, c.block_size) * (c.block_size / kWarpSize);
    return blocks_for(warps, c.shards) * kWarpSize;
  }

  /// The counter that is passed to the kernel of a strategy.
  template <class Strategy>
  auto counter_of(const SyntheticCase& c) {
    return counter_for<Strategy>(counter(), c.shards, room_of_queue(c));
  }

  /// As `enqueue`, with several rays per lane, which is possible only with strategies that add up
  /// numbers.
  template <class SomeWorks, class AnyMachine>
  void enqueue_several(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view) {
    if (c.subject != WarpShards::info.name || c.kernel != SyntheticCase::Kernel::report)
      throw UsageError("atomics " + std::string(c.subject) + " take one item per lane");
    dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
      using Work = typename decltype(work_tag)::type;
      machine.template launch<ReportSumAfterWork<Work, WarpShards>>(
          "report sums", blocks_for(c.rays, c.block_size * c.items), c.block_size, view, c.items,
          counter_of<WarpShards>(c));
    });
  }

  static u32 quads_of(const SyntheticCase& c) { return c.payload_bytes / sizeof(Float4); }

  /// As `enqueue`, with payloads.
  template <class SomeWorks, class AnyMachine>
  void enqueue_payloads(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view) {
    const bool later = c.subject == LaterSlots::info.name;
    if (c.kernel != SyntheticCase::Kernel::reserve ||
        (!later && c.subject != BlockScan::info.name) || c.work == MemoryWork::info.name)
      throw UsageError("atomics " + std::string(c.subject) + " with work " + std::string(c.work) +
                       " keep no payloads");
    const u32 blocks = blocks_for(c.rays, c.block_size);
    const Payloads payloads{payloads_.data(), quads_of(c)};
    dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
      using Work = typename decltype(work_tag)::type;
      if constexpr (!std::is_same_v<Work, MemoryWork>) {
        if (later)
          machine.template launch<NoteAndKeep<Work>>("note", blocks, c.block_size, view,
                                                     noted_.data(), payloads);
        else
          machine.template launch<ReserveAndKeep<Work, BlockScan>>(
              "reserve", blocks, c.block_size, view, slots(), payloads, counter());
      }
    });
    if (later) make_queue(machine, c);
  }

  /// Stores which lanes hit, and makes the queue of these lanes.
  template <class SomeWorks, class AnyMachine>
  void enqueue_later(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view,
                     u32 blocks) {
    if (c.kernel != SyntheticCase::Kernel::reserve)
      throw UsageError("atomics later can't report, which this experiment needs");
    dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
      using Work = typename decltype(work_tag)::type;
      machine.template launch<NoteAfterWork<Work>>("note", blocks, c.block_size, view,
                                                   noted_.data());
    });
    make_queue(machine, c);
  }

  /// Makes the queue of the lanes whose bits are stored.
  template <class AnyMachine>
  void make_queue(AnyMachine& machine, const SyntheticCase& c) {
    queue_noted(machine, NotedLanes::in(noted_.data(), c.rays), nullptr, queue_.data(),
                counter().value);
  }

  /// Appends `count` ids of the queue, from index `first` on.
  void read_queue(std::vector<u32>& ids, u32 first, u32 count) {
    const std::size_t before = ids.size();
    ids.resize(before + count);
    machine_.download(ids.data() + before, static_cast<const u32*>(queue_.data()) + first, count);
  }

  /// Makes room for at least `count` elements. Returns true if the memory was allocated anew, so
  /// that the previous content is lost.
  template <class T>
  bool grow(T& buffer, std::size_t count) {
    if (buffer.size() >= count) return false;
    buffer = T();
    buffer = machine_.template make<std::remove_pointer_t<decltype(buffer.data())>>(count);
    return true;
  }

  /// Reads the payloads of the lanes in the queue: from their slots, or with "later" from the index
  /// of the lane.
  void read_payloads(SyntheticResult& result, const SyntheticCase& c) {
    const u32 quads = quads_of(c);
    const bool later = c.subject == LaterSlots::info.name;
    std::vector<Float4> all((later ? c.rays : result.queue.size()) * std::size_t{quads});
    machine_.download(all.data(), static_cast<const Float4*>(payloads_.data()), all.size());
    for (std::size_t k = 0; k < result.queue.size(); ++k) {
      const std::size_t place = later ? result.queue[k] : k;
      for (u32 q = 0; q < quads; ++q) result.payloads.push_back(all[place * quads + q]);
    }
  }

  Buffer<Float4> read_, payloads_;
  Buffer<float> written_;
  Buffer<u32> queue_, noted_;
};

}  // namespace ballotcast::detail
