// The lines of OBJ files: their keywords, and how a file is cut into chunks.
#pragma once

#include <string_view>
#include <vector>

#include "scene/text.hpp"

namespace ballotcast::detail {

/// What a line of an OBJ file states.
enum class ObjKeyword {
  none,  // an empty line or a comment
  position,
  texcoord,
  normal,
  face,
  line_or_point,
  use_material,
  library,
  curve,    // free-form curves and surfaces
  command,  // call, csh
  ignored,  // lines that have no effect on the picture
  unknown
};

/// The lines of an OBJ file, or of a chunk of it.
class ObjLines {
 public:
  /// `chunk` begins after `lines_before` line ends of the file. It must outlive this object.
  ObjLines(std::string_view chunk, u32 lines_before) : lines_(chunk, lines_before) {}

  /// Goes on to the next line that is not empty and no comment. Returns false if there is none.
  bool next();
  ObjKeyword keyword() const { return keyword_; }
  /// What follows the keyword. Continued lines of geometry are joined, and comments behind
  /// geometry are left out. Valid until `next` is called.
  std::string_view rest() const { return rest_; }
  /// The line's number in the file, from 1.
  u32 number() const { return lines_.number(); }
  /// The number of line ends up to here, from the beginning of the file.
  u32 passed() const { return lines_.passed(); }

 private:
  Lines lines_;
  ObjKeyword keyword_ = ObjKeyword::none;
  std::string_view rest_;
};

/// Cuts a text into chunks of about `bytes` (at least 1), or of a line if a line is longer. Cuts
/// are at line ends, but not within lines that are joined by a backslash.
std::vector<std::string_view> chunks_of(std::string_view text, std::size_t bytes);

}  // namespace ballotcast::detail
