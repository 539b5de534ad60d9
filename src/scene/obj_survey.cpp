#include "scene/obj_survey.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "support/parallel.hpp"

namespace ballotcast::detail {
namespace {

struct UsedMaterial {
  std::string_view name;
  u32 line;  // of the first `usemtl` with that name in the chunk; counted from the chunk's begin
};

/// What a chunk contains.
struct ChunkSurvey {
  ObjPlace counts;  // without the material
  std::vector<UsedMaterial> materials;
  std::optional<std::string_view> last_material;
  i32 slashes =
      0;  // the most in one word of a face: 1 before texture coordinates, 2 before normals
};

void count_face(std::string_view rest, ChunkSurvey& chunk) {
  ++chunk.counts.faces;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    ++chunk.counts.corners;
    if (chunk.slashes < 2)
      chunk.slashes =
          std::max(chunk.slashes, static_cast<i32>(std::count(word.begin(), word.end(), '/')));
  }
}

ChunkSurvey survey_chunk(std::string_view text) {
  ChunkSurvey chunk;
  std::unordered_set<std::string_view> known;
  ObjLines lines(text, 0);
  while (lines.next()) switch (lines.keyword()) {
      case ObjKeyword::position:
        ++chunk.counts.positions;
        break;
      case ObjKeyword::texcoord:
        ++chunk.counts.texcoords;
        break;
      case ObjKeyword::normal:
        ++chunk.counts.normals;
        break;
      case ObjKeyword::face:
        count_face(lines.rest(), chunk);
        break;
      case ObjKeyword::use_material:
        chunk.last_material = trimmed(lines.rest());
        if (known.insert(*chunk.last_material).second)
          chunk.materials.push_back({*chunk.last_material, lines.number()});
        break;
      default:
        break;
    }
  chunk.counts.lines = lines.passed();
  return chunk;
}

/// Adds the materials of a chunk that begins at `begin`. Returns the last one in use.
u32 add_materials(const ChunkSurvey& chunk, const ObjPlace& begin, ObjMaterialNames& to) {
  for (const UsedMaterial& used : chunk.materials) {
    const auto [entry, is_new] =
        to.index_of.try_emplace(std::string(used.name), static_cast<u32>(to.names.size()));
    if (!is_new) continue;
    to.names.push_back(entry->first);
    to.lines.push_back(begin.lines + used.line);
  }
  return chunk.last_material ? to.index_of.at(std::string(*chunk.last_material)) : begin.material;
}

void advance(ObjPlace& place, const ObjPlace& counts) {
  place.positions += counts.positions;
  place.texcoords += counts.texcoords;
  place.normals += counts.normals;
  place.corners += counts.corners;
  place.faces += counts.faces;
  place.lines += counts.lines;
}

}  // namespace

ObjSurvey survey_obj(std::string_view text, std::size_t chunk_bytes) {
  const std::vector<std::string_view> texts = chunks_of(text, chunk_bytes);
  std::vector<ChunkSurvey> surveys(texts.size());
  for_each_index(texts.size(), [&](std::size_t i) { surveys[i] = survey_chunk(texts[i]); });

  ObjSurvey all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const ChunkSurvey& chunk = surveys[i];
    all.chunks.push_back({texts[i], all.end});
    all.end.material = add_materials(chunk, all.end, all.materials);
    advance(all.end, chunk.counts);
    all.any_corner_texcoord = all.any_corner_texcoord || chunk.slashes >= 1;
    all.any_corner_normal = all.any_corner_normal || chunk.slashes >= 2;
  }
  return all;
}

}  // namespace ballotcast::detail
