// Requirements that fuzz targets check.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ballotcast/error.hpp"
#include "math/portable.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail::fuzz {

/// Requires that `holds` is true; otherwise ends the process with the message `why`.
void require(bool holds, std::string_view why);

/// Requires that `text` is one readable line: not empty, no control characters, not too long.
void require_clear_line(const std::string& text);

/// Calls `read`, which may refuse its input by an InputError or UsageError whose message is one
/// clear line. Other exceptions end the process. Returns false if the input was refused.
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
/// two shadings draw a picture. For large meshes, only checks the arrays.
void require_sound(SceneData scene);

/// A temporary folder for the files of inputs. A new file replaces a file of an earlier input that
/// has the same name.
class Folder {
 public:
  Folder();
  /// Removes the folder.
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  /// Writes `bytes` to the file `name` and returns its path.
  std::string write(const std::string& name, std::span<const u8> bytes) const;

 private:
  std::string path_;
};

/// The temporary folder of this process.
const Folder& folder();

/// Returns the bytes of `input` before the line "----", and removes them and the line from `input`.
/// If there is no such line, returns all bytes.
std::span<const u8> next_part(std::span<const u8>& input);

}  // namespace ballotcast::detail::fuzz
