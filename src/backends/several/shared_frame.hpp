// A frame that several machines draw together.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "backends/several/machines.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"

namespace ballotcast::detail {

/// Films that machines keep. They are freed in the thread of a machine: if that is a GPU, the
/// thread of the caller may never have used it.
struct KeptFilms {
  Machines& machines;
  std::vector<RawFilm> all;

  explicit KeptFilms(Machines& its) : machines(its) {}
  ~KeptFilms() { free(); }
  KeptFilms(const KeptFilms&) = delete;
  KeptFilms& operator=(const KeptFilms&) = delete;

  void free();
};

/// A frame whose bands (rows of tiles) machines draw by demand. Everything must outlive it.
class SharedFrame {
 public:
  SharedFrame(Machines& machines, const FrameSettings& settings, const CastChoice& choice,
              const Progress& report)
      : machines_(machines), settings_(settings), choice_(choice), report_(report) {}

  /// Draws all bands. To be called first, and once.
  void draw();
  /// True if a whole picture was drawn whose films are still to be smoothed.
  bool is_to_be_smoothed() const { return settings_.rows == 0u && !films_.all.empty(); }
  /// True if a machine has failed since the frame was begun.
  bool has_lost_machines() const { return machines_.left().size() < machines_at_first_; }
  const std::vector<RawFilm>& films() const { return films_.all; }
  /// What is drawn but for its films.
  DrawnFrame& drawn() { return whole_; }
  /// The frame with its films. Those that are lent to other processes stay in `lent`.
  DrawnFrame finished(KeptFilms& lent);
  void report_done() const { report_rows(rows_); }

 private:
  /// Draws some bands on a machine, in its thread.
  void draw_bands(ResidentScene& scene, u64 first, u64 count);
  /// Takes what a machine has drawn of the rows from `first_row` on.
  void take(DrawnFrame chunk, u32 first_row);
  /// Makes room for the whole frame. That takes some time, in which machines draw already.
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
  std::mutex room_;   // of the arrays of `whole_`, until they have their size
  std::mutex mutex_;  // of all else that several machines add to
  DrawnFrame whole_;
  KeptFilms films_{machines_};
};

}  // namespace ballotcast::detail
