// Runs synthetic kernels on any Machine (kernels/pipelines/machine.hpp).
#pragma once

#include "backends/synthetic_runner.hpp"
#include "kernels/counting.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "kernels/strategies/table.hpp"
#include "kernels/synthetic/placement.hpp"
#include "kernels/synthetic/report.hpp"

namespace ballotcast::detail {

/// All strategies, including broken ones, in one list.
template <class... Rows, class... Broken>
TypeList<Rows..., Broken...> both(TypeList<Rows...>, TypeList<Broken...>);
using AllStrategies = decltype(both(Strategies{}, BrokenStrategies{}));

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
      result.queue.resize(result.counter < c.rays ? result.counter : c.rays);
      machine_.download(result.queue.data(), static_cast<const u32*>(queue_.data()),
                        result.queue.size());
    }
    return result;
  }

  u64 atomics(const SyntheticCase& c) override {
    const SyntheticView view = prepare(c);
    auto counted = machine_.template make<u64>(1);
    machine_.template each<ClearWord>("clear", 1u, counted.data());
    clear_counter();
    CountingMachine<Machine> counting(machine_, counted.data());
    // Work issues no atomics of its own, so the cheapest does to count those of the report.
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
    if (c.kernel == SyntheticCase::Kernel::reserve) grow(queue_, c.rays);
    view.read = read_.data();
    view.written = written_.data();
    return view;
  }

  void clear_counter() {
    machine_.template each<ClearCounter>("clear the counter", kMostShards, counter());
  }

  /// Launches the kernel of `c` on `machine`. The work of `c` must be a row of SomeWorks.
  template <class SomeWorks, class AnyMachine>
  void enqueue(AnyMachine& machine, const SyntheticCase& c, const SyntheticView& view) {
    const u32 blocks = blocks_for(c.rays, c.block_size);
    if (c.kernel == SyntheticCase::Kernel::placement) {
      dispatch(Placements{}, "placement", c.subject, [&](auto placement) {
        machine.template launch<typename decltype(placement)::type>("placement", blocks,
                                                                    c.block_size, view, counter());
      });
      return;
    }
    dispatch(AllStrategies{}, "strategy", c.subject, [&](auto strategy_tag) {
      using Strategy = typename decltype(strategy_tag)::type;
      dispatch(SomeWorks{}, "work", c.work, [&](auto work_tag) {
        using Work = typename decltype(work_tag)::type;
        if constexpr (Strategy::info.reports())
          if (c.kernel == SyntheticCase::Kernel::report)
            return machine.template launch<ReportAfterWork<Work, Strategy>>(
                "report", blocks, c.block_size, view, counter());
        if constexpr (Strategy::info.reserves())
          if (c.kernel == SyntheticCase::Kernel::reserve)
            return machine.template launch<ReserveAfterWork<Work, Strategy>>(
                "reserve", blocks, c.block_size, view, queue_.data(), counter());
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

  /// Makes room for at least `count` elements. Returns true if the memory is new, so the previous
  /// content is lost.
  template <class T>
  bool grow(T& buffer, std::size_t count) {
    if (buffer.size() >= count) return false;
    buffer = T();
    buffer = machine_.template make<std::remove_pointer_t<decltype(buffer.data())>>(count);
    return true;
  }

  Buffer<Float4> read_;
  Buffer<float> written_;
  Buffer<u32> queue_;
};

}  // namespace ballotcast::detail
