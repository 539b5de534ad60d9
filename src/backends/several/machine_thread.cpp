#include "backends/several/machine_thread.hpp"

#include <exception>
#include <utility>

#include "support/float_environment.hpp"

namespace ballotcast::detail {

MachineThread::MachineThread() : thread_([this] { run(); }) {}

MachineThread::~MachineThread() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  more_.notify_one();
  thread_.join();
}

std::future<void> MachineThread::start(std::function<void()> work) {
  std::packaged_task<void()> task([question = stop_question(), work = std::move(work)] {
    const WorksFor caller(question);
    const DefaultFloats floats;
    work();
  });
  std::future<void> done = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  more_.notify_one();
  return done;
}

void MachineThread::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [&] { return ended_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::packaged_task<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

void wait_for(std::vector<std::future<void>>& works, const std::function<void()>& meanwhile) {
  std::exception_ptr failed;
  for (std::future<void>& work : works) {
    while (work.wait_for(StopQuestion::kPause) != std::future_status::ready) {
      if (failed) continue;
      try {
        stop_asked();  // the works see the answer, but only this thread can ask
        if (meanwhile) meanwhile();
      } catch (...) {  // the works still use what this thread has
        failed = std::current_exception();
      }
    }
    try {
      work.get();
    } catch (...) {
      if (!failed) failed = std::current_exception();
    }
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace ballotcast::detail
