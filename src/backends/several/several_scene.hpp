// One scene on several machines or in several processes, and the arrays of frames that are drawn in
// chunks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

class Processes;

/// A machine that shares the work.
struct Member {
  std::string name;  // for messages
  /// Copies the scene to the machine, and makes this machine the current machine of the calling
  /// thread. This is the first call in the thread that does all work of the machine.
  std::function<std::unique_ptr<ResidentScene>()> upload;
  /// True if the machine belongs to this process. A machine of another process never smooths the
  /// whole film, because the film would have to be sent to it.
  bool is_here = true;
};

/// Copies the scene to all machines. They share each cast and each frame dynamically. Every hit and
/// every pixel has the same bits as on a single machine. If a machine fails, the others do its
/// work, and it gets no more work: `on_loss` gets the reason, in the thread of the caller. If
/// `on_loss` is null, or no machine is left, the failure is thrown. `share_memory` is true if each
/// machine can copy from the memory of the others.
std::unique_ptr<ResidentScene> make_several_scene(
    std::vector<Member> members, bool share_memory,
    std::function<void(const std::string& why)> on_loss);

/// Copies the scene to the machines of this process, and connects it with the scenes of all
/// processes. For `share_memory` and `on_loss` see make_several_scene. Throws InputError in a
/// helper whose scene differs from the leader's. `scene` must outlive the result.
std::unique_ptr<ResidentScene> make_scene_of_processes(
    Processes& processes, std::vector<Member> members, const PreparedScene& scene,
    bool share_memory, std::function<void(const std::string& why)> on_loss);

/// Calls with(array of `a`, array of `b`, elements per pixel) for each array of pixels in a frame,
/// except raw films.
template <class A, class B, class With>
void for_each_pixel_array(A& a, B& b, u32 samples, const With& with) {
  with(a.image.pixels, b.image.pixels, 1u);
  with(a.hits, b.hits, samples);
  with(a.film, b.film, 1u);
  with(a.image.alpha, b.image.alpha, 1u);
}

/// Resizes an array to `count` elements, which must be set before they are read.
template <class Elements>
void set_count(Elements& elements, u64 count) {
  using T = typename Elements::value_type;
  if constexpr (std::is_same_v<Elements, Array<T>>)
    elements = Elements::unset(count);
  else
    resize_in_large_pages(elements, count);
}

}  // namespace ballotcast::detail
