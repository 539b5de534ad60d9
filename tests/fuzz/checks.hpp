// What targets require of the code that they test.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "math/portable.hpp"
#include "scene/scene.hpp"
#include "support/error.hpp"

namespace ballotcast::detail::fuzz {

/// Ends the process with the message `why` unless `holds`.
void require(bool holds, std::string_view why);

/// Requires that `text` is one readable line: not empty, no control characters, not too long.
void require_clear_line(const std::string& text);

/// Runs `read`. It may refuse its input with an exception of the project's own types and one clear
/// line of text. Other exceptions end the process. Returns whether nothing was refused.
template <class Read>
bool read_or_refused(Read read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    require_clear_line(error.what());
  } catch (const UsageError& error) {
    require_clear_line(error.what());
  }
  return false;
}

/// Requires that `scene`, which was loaded without error, can be drawn: arrays of matching sizes, a
/// sound tree, hits of this mesh, a picture in two shadings. Large meshes are not tested.
void require_drawable(SceneData scene);

/// The files of one input. The folder exists as long as the process; it is emptied for each input.
class Folder {
 public:
  Folder();
  /// Writes `bytes` to the file `name` and returns its path.
  std::string write(const std::string& name, std::span<const u8> bytes) const;

 private:
  std::string path_;
};

/// The folder of this process.
const Folder& folder();

/// Removes bytes from the front of `input` up to the line "----" (which is dropped), or all bytes.
std::span<const u8> next_part(std::span<const u8>& input);

}  // namespace ballotcast::detail::fuzz
