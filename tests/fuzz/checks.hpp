// What targets ask of the code that they feed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "math/portable.hpp"
#include "scene/scene.hpp"
#include "support/error.hpp"

namespace ballotcast::detail::fuzz {

/// Ends the process, saying why, unless `holds`.
void require(bool holds, std::string_view why);

/// Is `text` one line that a person can read: not empty, no control characters, and not endless?
void require_clear_line(const std::string& text);

/// Runs `read`; a refusal is welcome if it is of the project's own kind and says why in one clear
/// line. Other exceptions go on, and end the process. Returns whether nothing was refused.
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

/// Requires that `scene`, which was loaded without complaint, can be drawn: arrays that fit each
/// other, a sound tree, hits that are of this mesh, a picture in two shadings. Large meshes are
/// taken at their word.
void require_drawable(SceneData scene);

/// Files of one input, in a folder that stays for the process and is emptied each time.
class Folder {
 public:
  Folder();
  /// Makes `bytes` the content of the file `name`, and returns its path.
  std::string write(const std::string& name, std::span<const u8> bytes) const;

 private:
  std::string path_;
};

/// The folder of this process.
const Folder& folder();

/// Takes bytes off the front of `input` up to the line "----" (which is dropped), or all of them.
std::span<const u8> next_part(std::span<const u8>& input);

}  // namespace ballotcast::detail::fuzz
