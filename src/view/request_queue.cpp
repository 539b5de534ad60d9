#include "view/request_queue.hpp"

#include <algorithm>

namespace ballotcast::detail {

WorkQueue::Lock::Lock(WorkQueue& queue, bool urgent) : queue_(queue) {
  std::unique_lock lock(queue.mutex_);
  const u64 number = queue.next_++;
  queue.waiting_[number] = urgent;
  queue.changed_.wait(lock, [&] { return queue.is_next(number); });
  queue.waiting_.erase(number);
  queue.taken_ = true;
}

WorkQueue::Lock::~Lock() {
  {
    const std::lock_guard lock(queue_.mutex_);
    queue_.taken_ = false;
  }
  queue_.changed_.notify_all();
}

bool WorkQueue::urgent_waits() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.second; });
}

bool WorkQueue::is_next(u64 number) const {
  if (taken_) return false;
  const auto urgent =
      std::find_if(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.second; });
  return (urgent != waiting_.end() ? urgent : waiting_.begin())->first == number;
}

bool NewestRequests::note(const std::string& page, u64 number) {
  if (page.empty()) return true;
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = pages_.try_emplace(page, Page{number, 0});
  place->second.heard = ++clock_;
  place->second.newest = std::max(place->second.newest, number);
  const bool is_old = place->second.newest > number;
  if (pages_.size() > kMostPages)
    pages_.erase(std::min_element(pages_.begin(), pages_.end(), [](const auto& a, const auto& b) {
      return a.second.heard < b.second.heard;
    }));
  return !is_old;
}

bool NewestRequests::is_old(const std::string& page, u64 number) const {
  const std::lock_guard lock(mutex_);
  const auto found = pages_.find(page);
  return found != pages_.end() && found->second.newest > number;
}

}  // namespace ballotcast::detail
