#include <charconv>

#include "backends/backend.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cuda/cuda_backend.hpp"
#include "backends/dispatch.hpp"
#include "backends/emulated/emulated_backend.hpp"

namespace ballotcast::detail {

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo> table = {
      {"cuda", "an NVIDIA GPU, through its driver alone", cuda_unusable, cuda_describe,
       cuda_free_memory, cuda_upload, cuda_synthetic_runner},
      {"cpu", "all cores, a plain loop over rays", cpu_unusable, cpu_describe, nullptr, cpu_upload,
       nullptr},
      {"emulated", "the GPU's kernels on the CPU, lane by lane; slow", emulated_unusable,
       emulated_describe, nullptr, emulated_upload, emulated_synthetic_runner},
  };
  return table;
}

BackendChoice choose_backend(std::string_view name) {
  const auto row = [](std::string_view wanted) -> const BackendInfo* {
    for (const BackendInfo& backend : backends())
      if (backend.name == wanted) return &backend;
    return nullptr;
  };
  if (name == "auto") {
    const BackendInfo* cuda = row("cuda");
    const std::string reason = cuda->unusable();
    if (reason.empty()) return {cuda, ""};
    return {row("cpu"), "no usable GPU (" + reason + "): drawing on the CPU, with the same result"};
  }
  const BackendInfo* backend = row(name);
  if (!backend) {
    std::vector<std::string_view> names{"auto"};
    for (const BackendInfo& b : backends()) names.push_back(b.name);
    throw_unknown("device", name, names);
  }
  const std::string reason = backend->unusable();
  if (!reason.empty())
    throw DeviceError("device " + std::string(name) + " can't be used: " + reason);
  return {backend, ""};
}

std::string_view resolved_pipeline(std::string_view pipeline, std::string_view atomics) {
  if (pipeline != "auto") return pipeline;
  std::string_view best = kAutoPipeline;
  if (atomics != "auto" && !takes(best, atomics)) {
    // The highest rung of the ladder that counts in the way that is asked for.
    for (const std::string_view name : names_in(Pipelines{}))
      if (takes(name, atomics)) best = name;
  }
  return best;
}

bool takes(std::string_view pipeline, std::string_view atomics) {
  bool taken = false;
  dispatch(Pipelines{}, "pipeline", resolved_pipeline(pipeline, atomics), [&](auto pipeline_tag) {
    dispatch(Strategies{}, "atomics", resolved_strategy(pipeline, atomics), [&](auto strategy_tag) {
      taken = decltype(pipeline_tag)::type::takes(decltype(strategy_tag)::type::info);
    });
  });
  return taken;
}

Counts counts_of(std::string_view pipeline, std::string_view atomics) {
  Counts counts = Counts::nothing;
  dispatch_cast({pipeline, atomics}, [&](auto pipeline_tag, auto strategy_tag) {
    counts = decltype(pipeline_tag)::type::counts(decltype(strategy_tag)::type::info);
  });
  return counts;
}

std::string_view resolved_strategy(std::string_view pipeline, std::string_view atomics) {
  if (atomics != "auto") return atomics;
  std::string_view strategy;
  dispatch(Pipelines{}, "pipeline", resolved_pipeline(pipeline, atomics),
           [&](auto tag) { strategy = decltype(tag)::type::kAutoStrategy; });
  return strategy;
}

CastCounts expected_counts(const CastOptions& options, u64 rays, const LeafVisits& visits) {
  CastCounts counts;
  dispatch_cast(options, [&](auto pipeline, auto strategy) {
    counts = counts_from<typename decltype(pipeline)::type>(decltype(strategy)::type::info, rays,
                                                            visits);
  });
  return counts;
}

Loop loop_called(std::string_view name, Loop automatic) {
  constexpr std::string_view kEvery = "host:";
  constexpr u32 kMostPasses = 1024;  // between two looks at the counter
  if (name == "auto") return automatic;
  if (name == "host") return {Loop::Who::host, 1};
  if (name == "graph") return {Loop::Who::graph, 1};
  if (name.substr(0, kEvery.size()) != kEvery)
    throw_unknown("loop", name, {"auto", "host", "host:K", "graph"});
  const std::string_view digits = name.substr(kEvery.size());
  u32 every = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), every);
  if (error != std::errc() || end != digits.data() + digits.size() || every < 1 ||
      every > kMostPasses)
    throw UsageError("loop '" + std::string(name) + "': the host may read every 1 to " +
                     std::to_string(kMostPasses) + " passes, like host:8");
  return {Loop::Who::host, every};
}

CastPlan plan_of(const CastOptions& options, Loop automatic) {
  return {options.block_size, loop_called(options.loop, automatic), options.passes, nullptr};
}

void require_valid(const CastOptions& options) {
  dispatch_cast(options, [](auto, auto) {});
  loop_called(options.loop, {});
  if (options.block_size < kWarpSize || options.block_size > kLargestBlock ||
      options.block_size % kWarpSize != 0)
    throw UsageError("block size " + std::to_string(options.block_size) +
                     ": must be a multiple of 32 from 32 to 1024");
}

}  // namespace ballotcast::detail
