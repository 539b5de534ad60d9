// Helpers for programs that check the GPU: device memory, CUDA graphs and times.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw DeviceError(std::string(what) + ": " + cudaGetErrorString(code));
}

/// An array in device memory. It is filled with arbitrary bytes, because new memory may still hold
/// the right results of an earlier case.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    spoil();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  T* data() const { return static_cast<T*>(data_); }
  /// Fills the array with arbitrary bytes.
  void spoil() const {
    check(cudaMemset(data_, 0xcd, count_ * sizeof(T)), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaMemset");  // other streams do not wait for the default one
  }
  void set(const std::vector<T>& from) const {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  std::vector<T> get() const {
    std::vector<T> out(count_);
    check(cudaMemcpy(out.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy");
    return out;
  }

 private:
  void* data_ = nullptr;
  std::size_t count_;
};

/// Calls enqueue() `runs` times. Returns the shortest time of its work on the stream, in
/// milliseconds.
template <class Enqueue>
double least_ms(cudaStream_t stream, u32 runs, Enqueue enqueue) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  float least = 1e30f;
  for (u32 i = 0; i < runs; ++i) {
    check(cudaEventRecord(begin, stream), "record");
    enqueue();
    check(cudaEventRecord(end, stream), "record");
    check(cudaEventSynchronize(end), "wait");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, begin, end), "time");
    least = std::min(least, ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return least;
}

/// The work that enqueue() puts on a stream, as an executable graph.
template <class Enqueue>
cudaGraphExec_t captured_graph(cudaStream_t stream, Enqueue enqueue) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  enqueue();
  cudaGraph_t graph;
  check(cudaStreamEndCapture(stream, &graph), "end of capture");
  cudaGraphExec_t exec;
  check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  cudaGraphDestroy(graph);
  return exec;
}

}  // namespace ballotcast::detail
