#include "backends/several/shared_frame.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "backends/several/several_scene.hpp"
#include "kernels/frame/frame_memory.hpp"
#include "kernels/frame/pixel_tiles.hpp"
#include "kernels/frame/stage_times.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// The time that a chunk should take at least, because each chunk has fixed costs (copies,
// launches).
constexpr double kSecondsOfRows = 2e-3;

/// Allocates the arrays of `whole` for `rows` rows of a picture, unless they are already allocated.
void make_room_in(const FrameSettings& settings, u32 rows, DrawnFrame& whole) {
  const u64 pixels = u64{settings.width} * rows;
  const auto require = [&](auto& array, u64 count) {
    if (array.size() != count) set_count(array, count);
  };
  // Rows that will be smoothed have no pixels yet.
  const bool raw = FrameCut(settings, *settings.shading, 1u).smooth;
  if (!raw) require(whole.image.pixels, pixels);
  if (settings.keep_hits) require(whole.hits, pixels * settings.samples);
  if (settings.keep_film && !raw) require(whole.film, pixels);
  if (settings.keeps_alpha() && !raw) require(whole.image.alpha, pixels);
}

/// Copies a chunk of rows into `whole`, from row `first_row` on.
void put_rows(const DrawnFrame& chunk, const FrameSettings& settings, u32 first_row,
              DrawnFrame& whole) {
  const u64 first = u64{first_row} * settings.width;
  for_each_pixel_array(chunk, whole, settings.samples,
                       [&](const auto& from, auto& to, u64 of_pixel) {
                         auto* const place = to.data() + first * of_pixel;
                         for_each_range<u64>(from.size(), 1u << 16, [&](u64 begin, u64 end) {
                           std::copy(from.data() + begin, from.data() + end, place + begin);
                         });
                       });
}

}  // namespace

void KeptFilms::free() {
  if (all.empty()) return;
  try {
    const std::size_t first = machines.left().front();
    machines.on_all([&](std::size_t i, ResidentScene&) {
      if (i == first) all.clear();
    });
  } catch (...) {  // no machine is left that could draw
  }
}

void SharedFrame::draw() {
  const u64 bands = (u64{rows_} + kTileSide - 1u) / kTileSide;
  // A single machine draws the whole frame at once.
  const u64 grain = machines_at_first_ > 1u ? 1u : bands;
  machines_.share(
      Items::rows, bands, {grain, bands, kSecondsOfRows},
      [this](ResidentScene& scene, u64 first, u64 count) { draw_bands(scene, first, count); },
      [&] {
        if (grain < bands) make_room();
        report_rows(rows_done_);
      });
}

void SharedFrame::draw_bands(ResidentScene& scene, u64 first, u64 count) {
  FrameSettings some = settings_;
  const u32 before = static_cast<u32>(first) * kTileSide;
  some.first_row += before;
  some.rows = std::min(static_cast<u32>(count) * kTileSide, rows_ - before);
  if (some.rows == settings_.height) some.rows = 0u;  // 0 stands for a whole frame
  DrawnFrame drawn = scene.draw(some, choice_, {});
  rows_done_ += some.rows_to_draw();
  if (some.rows_to_draw() != rows_) return take(std::move(drawn), before);
  const std::lock_guard lock(room_);
  whole_ = std::move(drawn);
  std::swap(films_.all, whole_.raw);
}

void SharedFrame::take(DrawnFrame chunk, u32 first_row) {
  make_room();
  {
    const std::lock_guard lock(mutex_);
    whole_.counts.add(chunk.counts);
    for (const StageTime& time : chunk.stages)
      add_time(time.name, time.milliseconds, whole_.stages);
    std::move(chunk.raw.begin(), chunk.raw.end(), std::back_inserter(films_.all));
  }
  put_rows(chunk, settings_, first_row, whole_);
}

void SharedFrame::make_room() {
  const std::lock_guard lock(room_);
  make_room_in(settings_, rows_, whole_);
}

DrawnFrame SharedFrame::finished(KeptFilms& lent) {
  whole_.raw = std::move(films_.all);
  for (RawFilm& film : whole_.raw)
    if (film.lent) {
      lent.all.push_back(film);
      film.block = nullptr;
      film.owner = nullptr;
    }
  whole_.image.width = settings_.width;
  whole_.image.height = rows_;
  whole_.exposure = settings_.exposure;
  whole_.white = settings_.white;
  return std::move(whole_);
}

}  // namespace ballotcast::detail
