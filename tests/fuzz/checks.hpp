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

/// Calls `read`, which may refuse its input: it then throws an InputError or UsageError whose
/// message is one clear line. Other exceptions end the process. Returns false if the input was
/// refused.
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

/// Requires that `scene`, which was loaded without error, can be drawn: its arrays have matching
/// sizes, its tree is sound and rays hit what brute force hits (unless the tree was packed), and
/// two shadings draw a picture. Of large meshes only the arrays are checked.
void require_sound(SceneData scene);

/// A temporary folder for the files of inputs. A file replaces one of an earlier input that has the
/// same name.
class Folder {
 public:
  Folder();
  /// Removes it.
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  /// Writes `bytes` to the file `name` and returns its path.
  std::string write(const std::string& name, std::span<const u8> bytes) const;

 private:
  std::string path_;
};

/// The folder of this process.
const Folder& folder();

/// Takes the bytes before the line "----" from the front of `input` and returns them. The line is
/// dropped. If there is no such line, takes all bytes.
std::span<const u8> next_part(std::span<const u8>& input);

}  // namespace ballotcast::detail::fuzz
