// Counts what an OBJ file contains, chunk by chunk, so that all chunks can be parsed at the same
// time, each into its own part of the arrays.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scene/obj_lines.hpp"

namespace ballotcast::detail {

/// How much of an OBJ file lies before some place.
struct ObjPlace {
  u64 positions = 0;
  u64 texcoords = 0;
  u64 normals = 0;
  u64 corners = 0;
  u64 faces = 0;
  u32 lines = 0;     // line ends
  u32 material = 0;  // index of the material that `usemtl` has chosen
};

/// A chunk of an OBJ file, and the place where it begins.
struct ObjChunk {
  std::string_view text;
  ObjPlace begin;
};

/// The materials of `usemtl` lines, in the order of their first lines. [0] is "", for faces before
/// the first `usemtl`.
struct ObjMaterialNames {
  std::vector<std::string> names{""};
  std::vector<u32> lines{0};  // line number of the first `usemtl` with that name
  std::unordered_map<std::string, u32> index_of{{"", 0}};
};

/// What is known of an OBJ file before it is parsed.
struct ObjSurvey {
  std::vector<ObjChunk> chunks;
  ObjPlace end;                      // what the whole file contains
  bool any_corner_texcoord = false;  // may be true if there is none
  bool any_corner_normal = false;
  ObjMaterialNames materials;
};

/// Surveys a text in chunks of about `chunk_bytes`; see chunks_of. The text must outlive the
/// result.
ObjSurvey survey_obj(std::string_view text, std::size_t chunk_bytes);

}  // namespace ballotcast::detail
