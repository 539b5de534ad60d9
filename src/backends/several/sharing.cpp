#include "backends/several/sharing.hpp"

#include <algorithm>

namespace ballotcast::detail {

std::optional<Piece> Sharing::take(std::size_t machine) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    if (!returned_.empty()) return true;
    if (next_ == count_) return !anyone_busy();
    return is_worth_it(machine);
  });
  Piece piece;
  if (!returned_.empty()) {
    piece = returned_.back();
    returned_.pop_back();
  } else if (next_ < count_) {
    piece = {next_, size_for(machine)};
    next_ += piece.count;
  } else {
    return std::nullopt;
  }
  busy_[machine] = true;
  // Less is left now, so machines that wait look again whether they still have to.
  changed_.notify_all();
  return piece;
}

void Sharing::done(std::size_t machine, const Piece& piece, double seconds) {
  const std::lock_guard lock(mutex_);
  const double speed = static_cast<double>(piece.count) / std::max(seconds, 1e-9);
  double& known = speeds_[machine];
  known = known > 0.0 ? 0.5 * (known + speed) : speed;
  leave(machine);
}

void Sharing::give_back(std::size_t machine, const Piece& piece) {
  const std::lock_guard lock(mutex_);
  returned_.push_back(piece);
  speeds_[machine] = 0.0;
  leave(machine);
}

void Sharing::end(std::size_t machine) {
  const std::lock_guard lock(mutex_);
  next_ = count_;
  returned_.clear();
  leave(machine);
}

double Sharing::seconds_left() const {
  // Those who are at their first piece are supposed to be as fast as the others are on average.
  // Else the first who is done would take half of all.
  double sum = 0.0, known = 0.0, unknown = 0.0;
  for (std::size_t i = 0; i < speeds_.size(); ++i) {
    sum += speeds_[i];
    if (speeds_[i] > 0.0)
      known += 1.0;
    else if (busy_[i])
      unknown += 1.0;
  }
  return static_cast<double>(count_ - next_) / (sum * (known + unknown) / known);
}

bool Sharing::is_worth_it(std::size_t machine) const {
  const double mine = speeds_[machine];
  if (!(mine > 0.0)) return true;
  const double fastest = *std::max_element(speeds_.begin(), speeds_.end());
  const double grain = static_cast<double>(sizes_.grain);
  return grain / mine <= seconds_left() + grain / fastest;
}

u64 Sharing::size_for(std::size_t machine) const {
  const double mine = speeds_[machine];
  u64 size = 0;
  if (mine > 0.0) size = static_cast<u64>(std::max(0.5 * seconds_left(), sizes_.seconds) * mine);
  size = std::clamp(size / sizes_.grain * sizes_.grain, sizes_.grain, sizes_.most);
  return std::min(count_ - next_, size);
}

bool Sharing::anyone_busy() const {
  return std::find(busy_.begin(), busy_.end(), true) != busy_.end();
}

void Sharing::leave(std::size_t machine) {
  busy_[machine] = false;
  changed_.notify_all();
}

}  // namespace ballotcast::detail
