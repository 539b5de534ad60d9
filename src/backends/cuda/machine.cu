#include "backends/cuda/machine.cuh"
#include "kernels/stage_times.hpp"

namespace ballotcast::detail {

CudaMachine::~CudaMachine() {
  // Errors can't be handled here. Errors of real work were reported where the host waited for it.
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
  for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, marks_[i].event, marks_[i + 1].event), "cudaEventElapsedTime");
    add_time(marks_[i].name, ms, times);
  }
  for (const Mark& mark : marks_) spare_events_.push_back(mark.event);
  marks_.clear();
  return times;
}

}  // namespace ballotcast::detail
