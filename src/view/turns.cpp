#include "view/turns.hpp"

#include <algorithm>

namespace ballotcast::detail {

Turns::Turn::Turn(Turns& turns, bool urgent) : turns_(turns) {
  std::unique_lock lock(turns.mutex_);
  const u64 number = turns.next_++;
  turns.waiting_[number] = urgent;
  turns.changed_.wait(lock, [&] { return turns.is_next(number); });
  turns.waiting_.erase(number);
  turns.taken_ = true;
}

Turns::Turn::~Turn() {
  {
    const std::lock_guard lock(turns_.mutex_);
    turns_.taken_ = false;
  }
  turns_.changed_.notify_all();
}

bool Turns::urgent_waits() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(), [](const auto& one) { return one.second; });
}

bool Turns::is_next(u64 number) const {
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
