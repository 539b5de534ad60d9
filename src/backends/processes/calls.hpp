// The messages between processes during the calls of a scene, and before the first call.
#pragma once

#include <optional>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "backends/several/several_scene.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// The functions of a scene that all processes call together.
enum class CallKind : u64 { answer = 1, keep, cast_kept, results, time, draw };

/// An order from the leader to a helper: process `count` items, beginning with `first`. Items are
/// rays, points or rows of a picture. A call about rays that a helper stores has one item, which
/// stands for all these rays. With 0 items, the call has ended.
struct Order {
  u64 call;
  u64 first, count;
  // For a picture: if not 0, raw films stay in the memory of the helper, and the leader reads them
  // there. The value is the number of the leader's attempt; films of earlier attempts are
  // discarded.
  u64 lends = 0;
};

/// Numbers the calls of a scene. All processes count in the same way.
class Calls {
 public:
  /// Begins a call, or repeats a call after a failure. The id of a call depends on its number, its
  /// kind, and its arguments `what`. So it is detected if a helper makes another call than the
  /// leader.
  void begin(CallKind kind, const std::vector<u64>& what);
  void end() { ++number_; }
  u64 id() const { return id_; }

 private:
  u64 number_ = 0, id_ = 0;
};

/// A hash of those settings of a frame that must be the same in all processes, such as size, view,
/// shading and exposure.
u64 hash_of(const FrameSettings& settings);

/// Calls pass(bytes, number of bytes) with the bytes of an element, or of `count` elements. `pass`
/// sends, receives or broadcasts them.
template <class T, class Pass>
void pass_elements(T* elements, u64 count, const Pass& pass) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count > 0) pass(elements, count * sizeof(T));
}

/// Passes a vector as pass_elements does. Its number of elements is passed first, and a vector that
/// receives gets that size.
template <class Elements, class Pass>
void pass_vector(Elements& elements, const Pass& pass) {
  u64 count = elements.size();
  pass_elements(&count, 1, pass);
  if (count != elements.size()) set_count(elements, count);
  pass_elements(elements.data(), count, pass);
}

/// Passes an optional value as pass_elements does.
template <class T, class Pass>
void pass_optional(std::optional<T>& value, const Pass& pass) {
  u64 is_there = value.has_value();
  pass_elements(&is_there, 1, pass);
  if (is_there == 0u) return;
  if (!value) value.emplace();
  pass_elements(&*value, 1, pass);
}

/// As pass_elements, for a film in the memory of a machine that other processes can read, or in
/// host memory. If a film has no memory, it is about to be received, so memory is allocated first.
template <class Pass>
void pass_film(RawFilm& film, const Pass& pass) {
  pass_elements(&film.first_row, 1, pass);
  pass_elements(&film.pixels, 1, pass);
  pass_optional(film.lent, pass);
  if (film.lent) return;
  if (!film.owner) film = host_film(film.first_row, film.pixels);
  pass_elements(film.block, film.quads(), pass);
}

/// Passes the members of a frame that are not arrays, as pass_elements does.
template <class Pass>
void pass_numbers(DrawnFrame& frame, const Pass& pass) {
  struct Numbers {
    CastCounts counts;
    double light_lost;
    Vec3f white;
    float exposure;
    u32 width, height;
  } numbers{frame.counts,   frame.light_lost,  frame.white,
            frame.exposure, frame.image.width, frame.image.height};
  pass_elements(&numbers, 1, pass);
  frame.counts = numbers.counts;
  frame.light_lost = numbers.light_lost;
  frame.white = numbers.white;
  frame.exposure = numbers.exposure;
  frame.image.width = numbers.width;
  frame.image.height = numbers.height;
}

/// Passes a whole frame as pass_elements does.
template <class Pass>
void pass_frame(DrawnFrame& frame, const Pass& pass) {
  pass_numbers(frame, pass);
  for_each_pixel_array(frame, frame, 1u,
                       [&](auto& elements, auto&, u32) { pass_vector(elements, pass); });
  u64 films = frame.raw.size();
  pass_elements(&films, 1, pass);
  frame.raw.resize(films);
  for (RawFilm& film : frame.raw) pass_film(film, pass);
}

/// Converts the times of stages to a text, and back.
std::vector<char> packed(const std::vector<StageTime>& times);
std::vector<StageTime> unpacked(const std::vector<char>& times);

/// Arguments `pass` of the functions above: they send data to process `rank`, receive data from
/// it, or send data from rank 0 to all.
inline auto sending_to(Processes& processes, u32 rank) {
  return [&processes, rank](const void* data, u64 bytes) { processes.send(rank, data, bytes); };
}
inline auto receiving_from(Processes& processes, u32 rank) {
  return [&processes, rank](void* data, u64 bytes) { processes.receive(rank, data, bytes); };
}
inline auto broadcasting(Processes& processes) {
  return [&processes](void* data, u64 bytes) { processes.broadcast(data, bytes); };
}

/// Throws UsageError in a helper whose trees differ from those of the leader, and InputError in a
/// helper whose scene differs.
void require_same_scene(Processes& processes, const PreparedScene& scene);

}  // namespace ballotcast::detail
