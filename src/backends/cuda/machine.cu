#include <algorithm>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/machine.cuh"
#include "kernels/frame/stage_times.hpp"
#include "support/profile.hpp"

namespace ballotcast::detail {

LoopGraphs::~LoopGraphs() {
  for (const Made& made : made_) destroy(made);
}

void LoopGraphs::destroy(const Made& made) {
  if (made.runnable) cudaGraphExecDestroy(made.runnable);
  if (made.graph) cudaGraphDestroy(made.graph);
}

#if CUDART_VERSION >= 12040

namespace {

constexpr std::size_t kMostGraphs = 16;

/// Decides whether a WHILE node runs its body again.
__global__ void set_condition(cudaGraphConditionalHandle handle, const CastProgress* progress,
                              u32 enough) {
  cudaGraphSetConditional(handle, progress->done == 0u && progress->live > enough ? 1u : 0u);
}

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphNodeParams& params) {
  cudaGraphNode_t node;
  const std::size_t count = after ? 1 : 0;
#if CUDART_VERSION >= 13000
  check(cudaGraphAddNode(&node, graph, &after, nullptr, count, &params), "cudaGraphAddNode");
#else
  check(cudaGraphAddNode(&node, graph, &after, count, &params), "cudaGraphAddNode");
#endif
  return node;
}

/// Adds a node that sets the condition of a loop before the loop begins.
cudaGraphNode_t add_first_condition(cudaGraph_t graph, cudaGraphNode_t after,
                                    cudaGraphConditionalHandle handle, const CastProgress* progress,
                                    u32 enough) {
  void* arguments[] = {&handle, &progress, &enough};
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(set_condition);
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  return add_node(graph, after, params);
}

/// Records everything that `body` launches on `stream` in `graph`, the body of a loop.
void capture_body(cudaGraph_t graph, cudaStream_t stream, const std::function<void()>& body) {
  check(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCaptureToGraph");
  cudaGraph_t captured;
  try {
    body();
  } catch (...) {
    cudaStreamEndCapture(stream, &captured);
    throw;
  }
  check(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
}

}  // namespace

std::string graphs_unusable() {
  if (driver_version() >= 12040) return "";
  return "loop graph needs a driver for CUDA 12.4 or later; this one is for CUDA " +
         version_in_words(driver_version());
}

void LoopGraphs::run(const std::string& key, cudaStream_t stream, const CastProgress* progress,
                     const std::vector<u32>& sizes, const std::function<void(u32 most)>& body) {
  const auto found =
      std::find_if(made_.begin(), made_.end(), [&](const Made& made) { return made.key == key; });
  if (found != made_.end()) {
    check(cudaGraphLaunch(found->runnable, stream), "cudaGraphLaunch");
    return;
  }
  const std::string reason = graphs_unusable();
  if (!reason.empty()) throw DeviceError(reason);
  if (made_.size() == kMostGraphs) {
    check(cudaStreamSynchronize(stream), "before a graph is destroyed");
    destroy(made_.front());
    made_.erase(made_.begin());
  }
  Made made;
  made.key = key;
  try {
    check(cudaGraphCreate(&made.graph, 0), "cudaGraphCreate");
    cudaGraphNode_t last = nullptr;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const u32 enough = i + 1 < sizes.size() ? sizes[i + 1] : 0u;
      cudaGraphConditionalHandle handle;
      check(cudaGraphConditionalHandleCreate(&handle, made.graph, 0, 0),
            "cudaGraphConditionalHandleCreate");
      last = add_first_condition(made.graph, last, handle, progress, enough);
      cudaGraphNodeParams loop{};
      loop.type = cudaGraphNodeTypeConditional;
      loop.conditional.handle = handle;
      loop.conditional.type = cudaGraphCondTypeWhile;
      loop.conditional.size = 1;
      last = add_node(made.graph, last, loop);
      capture_body(loop.conditional.phGraph_out[0], stream, [&] {
        body(sizes[i]);
        set_condition<<<1, 1, 0, stream>>>(handle, progress, enough);
        check(cudaGetLastError(), "set the condition of a loop");
      });
    }
    check(cudaGraphInstantiate(&made.runnable, made.graph, 0), "cudaGraphInstantiate");
    check(cudaGraphLaunch(made.runnable, stream), "cudaGraphLaunch");
  } catch (...) {
    destroy(made);
    throw;
  }
  made_.push_back(made);
}

#else

std::string graphs_unusable() { return "loop graph needs a build with CUDA Toolkit 12.4 or later"; }

void LoopGraphs::run(const std::string&, cudaStream_t, const CastProgress*, const std::vector<u32>&,
                     const std::function<void(u32 most)>&) {
  throw DeviceError(graphs_unusable());
}

#endif

CudaMachine::~CudaMachine() {
  // A destructor can't report errors. Errors of earlier work were reported where the host waited
  // for it.
  for (const Mark& mark : marks_) cudaEventDestroy(mark.event);
  for (const cudaEvent_t event : spare_events_) cudaEventDestroy(event);
}

void CudaMachine::stage(const char* name) {
  cudaEvent_t event;
  if (spare_events_.empty()) {
    check(cudaEventCreate(&event), "cudaEventCreate");
  } else {
    event = spare_events_.back();
    spare_events_.pop_back();
  }
  marks_.push_back({name, event});
  check(cudaEventRecord(event, into_), "cudaEventRecord");
}

std::vector<StageTime> CudaMachine::finish_stages() {
  std::vector<StageTime> times;
  stage("end");
  check(cudaEventSynchronize(marks_.back().event), running_);
  const auto milliseconds = [&](std::size_t from, std::size_t to) {
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, marks_[from].event, marks_[to].event), "cudaEventElapsedTime");
    return ms;
  };
  const auto now = ProfileClock::now();  // the end of the last stage, by the host's clock
  const auto at = [&](std::size_t mark) {
    const std::chrono::duration<double, std::milli> before(milliseconds(mark, marks_.size() - 1));
    return now - std::chrono::duration_cast<ProfileClock::duration>(before);
  };
  for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
    add_time(marks_[i].name, milliseconds(i, i + 1), times);
    if (is_profiled()) keep_span(marks_[i].name, at(i), at(i + 1), "GPU");
  }
  for (const Mark& mark : marks_) spare_events_.push_back(mark.event);
  marks_.clear();
  return times;
}

}  // namespace ballotcast::detail
