// Launches the synthetic kernels of `bench atomics`, with the same code on every machine. A Machine
// (kernels/pipelines/machine.hpp) has launch<Kernel>(description, blocks, block_size, views...),
// and launch_in_clusters for kernels whose blocks form clusters (kernels/strategies/laboratory).
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "backends/benchmarks/runners.hpp"
#include "ballotcast/error.hpp"
#include "kernels/counting.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/slots/bins.hpp"
#include "kernels/strategies/broken/broken_strategies.hpp"
#include "kernels/strategies/laboratory/laboratory_strategies.hpp"
#include "kernels/strategies/strategies.hpp"
#include "kernels/synthetic/bins_after_work.hpp"
#include "kernels/synthetic/placement.hpp"
#include "kernels/synthetic/report.hpp"

namespace ballotcast::detail {

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
    if (c.kernel == SyntheticCase::Kernel::reserve) clear_queues();
    enqueue<Works>(machine_, c, view);
    std::vector<u32> words(kCounterWords);
    machine_.download(words.data(), static_cast<const u32*>(counter().value), words.size());
    SyntheticResult result;
    for (const u32 word : words) result.counter += word;
    if (c.kernel != SyntheticCase::Kernel::reserve) return result;
    if (c.subject == BinSlots::info.name || c.subject == BinSort::info.name) return read_bins(c);
    const Queues queues = queues_of(c);
    for (u32 k = 0; k < queues.count; ++k) {
      result.begins.push_back(static_cast<u32>(result.queue.size()));
      read_queue(result.queue, k * queues.room, std::min(words[k * kShardStride], queues.room));
    }
    if (c.payload_bytes != 0u) read_payloads(result, c);
    return result;
  }

  u64 atomics(const SyntheticCase& c) override {
    const SyntheticView view = prepare(c);
    auto counted = machine_.template make<u64>(1);
    machine_.template each<ClearWord>("clear", 1u, counted.data());
    clear_counter();
    CountingMachine<Machine> counting(machine_, counted.data());
    // The work issues no atomics, so the cheapest work is enough to count the atomics of the
    // strategy.
    SyntheticCase least = c;
    least.work = FlagWork::info.name;
    enqueue<TypeList<FlagWork>>(counting, least, view);
    u64 atomics = 0;
    machine_.download(&atomics, static_cast<const u64*>(counted.data()), 1);
    return atomics;
  }

 protected:
  /// So that no check sees what an earlier case has left.
  void clear_queues() {
    clear_words(queue_);
    clear_words(noted_);
    clear_words(begins_);
  }
  template <class Words>
  void clear_words(Words& words) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 30;
    for (std::size_t first = 0; first < words.size(); first += kAtOnce)
      machine_.template each<ClearWord>(
          "clear", static_cast<u32>(std::min(kAtOnce, words.size() - first)), words.data() + first);
  }

  /// Allocates the memory that the case needs, and returns the view for its kernel.
  SyntheticView prepare(const SyntheticCase& c) {
    SyntheticView view = view_of(c);
    if (c.work == MemoryWork::info.name) {
      if (grow(read_, std::size_t{2} * c.rays))
        machine_.template each<FillRead>("fill", 2u * c.rays, read_.data());
      grow(written_, c.rays);
    }
    if (c.kernel == SyntheticCase::Kernel::reserve) {
      const Queues queues = queues_of(c);
      grow(queue_, std::size_t{queues.count} * queues.room);
      grow(payloads_, std::size_t{c.rays} * quads_of(c));
      if (c.subject == LaterSlots::info.name) grow(noted_, NotedLanes::memory_for(c.rays));
      if (c.subject == BinSlots::info.name) {
        with_bins(c.bins, [&](auto bins) {
          using Noted = NotedBins<decltype(bins)::value>;
          grow(noted_, Noted::words_for(c.rays));
          grow(scratch_, Noted::scratch_for(c.rays));
        });
      }
      grow(begins_, c.bins + 1u);
      if (c.subject == BinSort::info.name) {
        grow(keys_, std::size_t{2} * c.rays);
        grow(ids_, c.rays);
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
    if (c.subject == BinSlots::info.name) return enqueue_bins<SomeWorks>(machine, c, view, blocks);
    if (c.subject == BinSort::info.name) return enqueue_sort<SomeWorks>(machine, c, view, blocks);
    dispatch(AllStrategies{}, "strategy", c.subject, [&](auto strategy_tag) {
      using Strategy = typename decltype(strategy_tag)::type;
      dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
        using Work = typename decltype(work_tag)::type;
        if constexpr (Strategy::info.reports())
          if (c.kernel == SyntheticCase::Kernel::report)
            return launch<Strategy, ReportAfterWork<Work, Strategy>>(
                machine, "report", blocks, c.block_size, view, counter_of<Strategy>(c));
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

  /// The memory of a stable sort of pairs by their keys: pair i is keys[i], the bin, and ids[i],
  /// the ray. `bits`: the number of low bits of a key that may be set.
  struct Pairs {
    u8* keys;        // [2 * count]: keys, then memory for the sorted keys
    const u32* ids;  // [count]
    u32* sorted;     // [count]: memory for the sorted ids
    u32 count, bits;
  };
  /// Enqueues the sort. Called only if unavailable() returns "" for the case.
  virtual void sort(const Pairs& pairs) = 0;

  Machine machine_;

 private:
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

  CounterView counter() { return machine_.cast_memory().counter(0); }

  SlotMemory slots() { return {queue_.data(), static_cast<u32>(queue_.size())}; }

  /// The memory of a case's queues: their number, and the capacity of each in ids. The queues lie
  /// one behind the other.
  struct Queues {
    u32 count, room;
  };
  static Queues queues_of(const SyntheticCase& c) {
    if (c.subject == WarpQueues::info.name) {  // room for all lanes of the warps that share a queue
      const u32 warps = blocks_for(c.rays, c.block_size) * (c.block_size / kWarpSize);
      return {c.shards, blocks_for(warps, c.shards) * kWarpSize};
    }
    // Bins are pseudo-random, so about rays / bins rays have the same bin: twice as much is enough.
    if (c.subject == BinAtomics::info.name)
      return {c.bins, std::min(c.rays, c.rays / c.bins * 2u + 1024u)};
    return {1u, c.rays};
  }

  /// The counter that is passed to the kernel of a strategy.
  template <class Strategy>
  auto counter_of(const SyntheticCase& c) {
    const bool bins = std::is_same_v<Strategy, BinAtomics>;
    return counter_for<Strategy>(counter(), bins ? c.bins : c.shards, queues_of(c).room);
  }

  /// Launches a kernel of a strategy, in clusters of blocks if the strategy needs them.
  template <class Strategy, class Kernel, class AnyMachine, class... Views>
  static void launch(AnyMachine& machine, const char* description, u32 blocks, u32 block_size,
                     const Views&... views) {
    if constexpr (kInClusters<Strategy>)
      machine.template launch_in_clusters<Kernel>(description, blocks, block_size, views...);
    else
      machine.template launch<Kernel>(description, blocks, block_size, views...);
  }

  /// As `enqueue`, with several rays per lane, which only WarpShards supports.
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

  /// The size of a payload, in elements of Float4.
  static u32 quads_of(const SyntheticCase& c) { return c.payload_bytes / sizeof(Float4); }

  /// As `enqueue`, for lanes that store a payload in addition to their id.
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

  /// Launches the kernels of strategy later: they store which lanes hit, and make the queue of
  /// these lanes.
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

  /// Calls use(bins) with the number of bins as a constant. Throws UsageError unless it is 2, 8 or
  /// 32, the numbers for which kernels are compiled.
  template <class Use>
  static void with_bins(u32 bins, Use use) {
    if (bins == 2u) return use(std::integral_constant<u32, 2>{});
    if (bins == 8u) return use(std::integral_constant<u32, 8>{});
    if (bins == 32u) return use(std::integral_constant<u32, 32>{});
    throw UsageError(std::to_string(bins) + " bins: must be 2, 8 or 32");
  }

  /// Launches the kernels of strategy bins: they store the bins of the lanes that hit, and make the
  /// queues of these lanes.
  template <class SomeWorks, class AnyMachine>
  void enqueue_bins(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view,
                    u32 blocks) {
    with_bins(c.bins, [&](auto bins) {
      constexpr u32 kBins = decltype(bins)::value;
      dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
        using Work = typename decltype(work_tag)::type;
        machine.template launch<NoteBinAfterWork<Work, kBins>>("note bins", blocks, c.block_size,
                                                               view, noted_.data());
      });
      queue_bins<kBins>(machine, NotedBins<kBins>::of(noted_.data(), c.rays, scratch_.data()),
                        nullptr, queue_.data(), begins_.data());
    });
  }

  /// Launches the kernels of strategy bin-sort: they write pairs of bin and id, sort them, and find
  /// where each bin begins.
  template <class SomeWorks, class AnyMachine>
  void enqueue_sort(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view,
                    u32 blocks) {
    dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
      using Work = typename decltype(work_tag)::type;
      machine.template launch<PairAfterWork<Work>>("pairs", blocks, c.block_size, view, c.bins,
                                                   keys_.data(), ids_.data());
    });
    sort({keys_.data(), ids_.data(), queue_.data(), c.rays, bits_for(c.bins + 1u)});
    machine.template launch<FindBegins>("begins", c.bins + 1u, kWarpSize, keys_.data() + c.rays,
                                        c.rays, begins_.data());
  }

  /// The result of strategies bins and bin-sort.
  SyntheticResult read_bins(const SyntheticCase& c) {
    SyntheticResult result;
    result.begins.resize(c.bins + 1u);
    machine_.download(result.begins.data(), static_cast<const u32*>(begins_.data()),
                      result.begins.size());
    result.counter = result.begins.back();
    read_queue(result.queue, 0u, std::min(result.counter, c.rays));
    return result;
  }

  /// Makes the queue of the lanes whose bits are set in `noted_`.
  template <class AnyMachine>
  void make_queue(AnyMachine& machine, const SyntheticCase& c) {
    queue_noted(machine, NotedLanes::in(noted_.data(), c.rays), nullptr, queue_.data(),
                counter().value);
  }

  /// Appends `count` ids of the queue, from index `first` on, to `ids`.
  void read_queue(std::vector<u32>& ids, u32 first, u32 count) {
    const std::size_t before = ids.size();
    ids.resize(before + count);
    machine_.download(ids.data() + before, static_cast<const u32*>(queue_.data()) + first, count);
  }

  /// Makes room for at least `count` elements. Returns true if it has allocated new memory, whose
  /// content is undefined.
  template <class T>
  bool grow(T& buffer, std::size_t count) {
    if (buffer.size() >= count) return false;
    buffer = T();
    buffer = machine_.template make<std::remove_pointer_t<decltype(buffer.data())>>(count);
    return true;
  }

  /// Reads the payloads of the lanes in the queue. A payload lies at the index of the lane's slot,
  /// or with strategy later at the index of the lane.
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
  Buffer<u32> queue_, noted_, scratch_, begins_, ids_;
  Buffer<u8> keys_;
};

}  // namespace ballotcast::detail
