// Divides work among machines while they work, so that all of them end at about the same time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Items [first, first + count).
struct Piece {
  u64 first, count;
};

/// How fast each machine has been so far: items per second; 0 if it has not worked yet.
using Speeds = std::vector<double>;

/// The sizes of pieces.
struct PieceSizes {
  u64 grain;       // all are multiples of it, but for the last
  u64 most;        // a multiple of `grain`
  double seconds;  // how long one should take at least
};

/// Divides items 0 .. count - 1 into pieces. The first piece of a machine is one grain. Once its
/// speed is known, it gets half of what it would have to do of the rest. So pieces become smaller
/// towards the end, and no machine waits long for another (guided self-scheduling: C.
/// Polychronopoulos, D. Kuck, 1987). A machine gets nothing if it would need longer for one grain
/// than all of them together for the rest, and the fastest for one grain after that.
///
///   a fast machine   | grain |  half of 90 %   |  half of 90 % of the rest  | ..
///   a slow one       |    grain     |    half of 10 %    | ..    nothing: too slow for the rest
class Sharing {
 public:
  /// `speeds` lives on from one sharing to the next. It changes while work is divided.
  Sharing(u64 count, const PieceSizes& sizes, Speeds& speeds)
      : count_(count), sizes_(sizes), speeds_(speeds), busy_(speeds.size(), false) {}

  /// The next piece for a machine; none if all is done. Waits for machines that may still fail,
  /// because then others must do their piece.
  std::optional<Piece> take(std::size_t machine);
  /// The machine has done its piece.
  void done(std::size_t machine, const Piece& piece, double seconds);
  /// The machine has failed. Another one will get its piece.
  void give_back(std::size_t machine, const Piece& piece);
  /// The machine has failed in a way that ends all: nobody gets a piece any more.
  void end(std::size_t machine);

 private:
  /// How long all machines together need for the rest, those whose speed is known.
  double seconds_left() const;
  bool is_worth_it(std::size_t machine) const;
  u64 size_for(std::size_t machine) const;
  bool anyone_busy() const;
  void leave(std::size_t machine);

  std::mutex mutex_;
  std::condition_variable changed_;
  u64 next_ = 0;
  const u64 count_;
  const PieceSizes sizes_;
  Speeds& speeds_;
  std::vector<bool> busy_;
  std::vector<Piece> returned_;
};

}  // namespace ballotcast::detail
