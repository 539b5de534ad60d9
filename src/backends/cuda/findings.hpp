// What kernels find out about rays, on its way to the host.
#pragma once

#include "backends/cuda/buffer.hpp"
#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// Host memory that the GPU writes to while the host goes on: a copy of WarpFindings that the host
/// asks for, and a word that kernels write by themselves (WarpChoice::told).
class FindingsOnHost {
 public:
  FindingsOnHost() { *word() = kNothingTold; }

  /// Queues a copy of what everything in the stream so far finds out.
  void ask(const WarpFindings* findings, cudaStream_t stream) {
    for (u32 k = 0; k < kWords; ++k) words()[k] = kNotYet;
    check(cudaMemcpyAsync(&memory_.data()->copy, findings, sizeof *findings, cudaMemcpyDeviceToHost,
                          stream),
          "read what was found out about the rays");
  }

  /// The answer, if someone waited for the stream since it was asked for.
  const WarpFindings* awaited() const { return &memory_.data()->copy; }

  /// Null until the answer is there. (Not by an event: asking for one would spoil what another
  /// thread captures in a graph.)
  const WarpFindings* arrived() const {
    for (u32 k = 0; k < kWords; ++k)
      if (words()[k] == kNotYet) return nullptr;
    return &memory_.data()->copy;
  }

  u32* word() const { return &memory_.data()->told; }

  /// The word, which becomes kNothingTold again.
  u32 take_told() {
    volatile u32& told = *word();
    const u32 taken = told;
    if (taken != kNothingTold) told = kNothingTold;
    return taken;
  }

 private:
  static constexpr u32 kWords = sizeof(WarpFindings) / sizeof(u32);
  static constexpr u32 kNotYet = 0xffffffffu;  // hardly ever a word that is found out

  volatile u32* words() const { return reinterpret_cast<volatile u32*>(&memory_.data()->copy); }

  struct Memory {
    WarpFindings copy;
    u32 told;
  };
  PinnedBuffer<Memory> memory_;
};

/// Whether what is launched into a stream becomes part of a graph.
inline bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
         status != cudaStreamCaptureStatusNone;
}

}  // namespace ballotcast::detail
