// A frame that several machines draw together.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "backends/several/machines.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"

namespace ballotcast::detail {

/// Films that machines keep. They must be freed in the thread of a machine, because the thread of
/// the caller may never have used the GPU.
struct KeptFilms {
  Machines& machines;
  std::vector<RawFilm> all;

  explicit KeptFilms(Machines& owners) : machines(owners) {}
  ~KeptFilms() { free(); }
  KeptFilms(const KeptFilms&) = delete;
  KeptFilms& operator=(const KeptFilms&) = delete;

  void free();
};

/// A frame that machines draw dynamically, in bands (rows of tiles). All arguments of the
/// constructor must outlive this object.
class SharedFrame {
 public:
  SharedFrame(Machines& machines, const FrameSettings& settings, const CastChoice& choice,
              const Progress& report)
      : machines_(machines), settings_(settings), choice_(choice), report_(report) {}

  /// Draws all bands. Call this function first, and only once.
  void draw();
  /// True if a whole picture was drawn and its films must still be smoothed.
  bool is_to_be_smoothed() const { return settings_.rows == 0u && !films_.all.empty(); }
  /// True if a machine has failed since the frame was begun.
  bool has_lost_machines() const { return machines_.left().size() < machines_at_first_; }
  const std::vector<RawFilm>& films() const { return films_.all; }
  /// The rows that are drawn so far, without the films.
  DrawnFrame& drawn() { return whole_; }
  /// The frame with its films. Films that other processes can read are kept in `lent`.
  DrawnFrame finished(KeptFilms& lent);
  void report_done() const { report_rows(rows_); }

 private:
  /// Draws some bands on a machine, in its thread.
  void draw_bands(ResidentScene& scene, u64 first, u64 count);
  /// Takes over the rows that a machine has drawn, from row `first_row` on.
  void take(DrawnFrame chunk, u32 first_row);
  /// Allocates the arrays of the whole frame. This takes some time, during which machines already
  /// draw.
  void make_room();
  void report_rows(u64 done) const {
    if (report_) report_(settings_.most_rays(static_cast<u32>(done)), settings_.most_rays(rows_));
  }

  Machines& machines_;
  const FrameSettings& settings_;
  const CastChoice& choice_;
  const Progress& report_;
  const u32 rows_ = settings_.rows_to_draw();
  const std::size_t machines_at_first_ = machines_.left().size();
  std::atomic<u64> rows_done_{0};
  std::mutex room_;   // protects the arrays of `whole_` until they are allocated
  std::mutex mutex_;  // protects all other members that several machines change
  DrawnFrame whole_;
  KeptFilms films_{machines_};
};

}  // namespace ballotcast::detail
