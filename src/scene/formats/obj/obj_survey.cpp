#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>

#include "scene/formats/obj/obj_parser.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Keywords of free-form curves and surfaces.
constexpr std::array<std::string_view, 21> kCurves = {
    "vp",   "cstype", "deg", "bmat", "step",    "curv", "curv2", "surf", "parm", "trim", "hole",
    "scrv", "sp",     "end", "con",  "curv_2d", "res",  "bsp",   "bzp",  "cdc",  "cdp"};

/// Keywords that have no effect on the picture.
constexpr std::array<std::string_view, 12> kIgnored = {
    "s",          "mg",        "bevel", "c_interp", "d_interp", "lod",
    "shadow_obj", "trace_obj", "ctech", "stech",    "maplib",   "usemap"};

bool among(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

ObjKeyword keyword_of(std::string_view word) {
  if (word == "v") return ObjKeyword::position;
  if (word == "f" || word == "fo") return ObjKeyword::face;
  if (word == "vt") return ObjKeyword::texcoord;
  if (word == "vn") return ObjKeyword::normal;
  if (word.empty() || word.front() == '#') return ObjKeyword::none;
  if (word == "usemtl") return ObjKeyword::use_material;
  if (word == "mtllib") return ObjKeyword::library;
  if (word == "o" || word == "g") return ObjKeyword::part;
  if (word == "l" || word == "p") return ObjKeyword::line_or_point;
  if (among(word, kCurves)) return ObjKeyword::curve;
  if (word == "call" || word == "csh") return ObjKeyword::command;
  return among(word, kIgnored) ? ObjKeyword::ignored : ObjKeyword::unknown;
}

/// True for lines of geometry. Only these lines can be continued by a backslash and can have
/// comments.
bool is_geometry(ObjKeyword keyword) {
  return keyword == ObjKeyword::position || keyword == ObjKeyword::texcoord ||
         keyword == ObjKeyword::normal || keyword == ObjKeyword::face ||
         keyword == ObjKeyword::line_or_point;
}

/// `text` up to the first word that starts with `#`.
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = text.find('#'); i != text.npos; i = text.find('#', i + 1))
    if (i == 0 || is_blank(text[i - 1])) return text.substr(0, i);
  return text;
}

/// The end of the chunk that begins at `begin`. The chunk has at least `bytes` bytes, unless the
/// text ends before.
std::size_t end_of_chunk(std::string_view text, std::size_t begin, std::size_t bytes) {
  if (bytes >= text.size() - begin) return text.size();
  std::size_t at = begin + bytes - 1;
  if (at > begin && text[at] == '\n' && text[at - 1] == '\r') --at;
  for (;;) {
    at = text.find_first_of("\r\n", at);
    if (at == text.npos) return text.size();
    const bool is_continued = at > begin && text[at - 1] == '\\';
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
    if (!is_continued) return at;
  }
}

}  // namespace

bool ObjLines::next() {
  do {
    if (!lines_.next()) return false;
    rest_ = lines_.line();
    keyword_ = keyword_of(next_word(rest_));
  } while (keyword_ == ObjKeyword::none);
  if (is_geometry(keyword_)) {
    const std::size_t skip = lines_.line().size() - rest_.size();
    lines_.join_continued();
    rest_ = without_comment(lines_.line().substr(skip));
  }
  return true;
}

std::vector<std::string_view> chunks_of(std::string_view text, std::size_t bytes) {
  std::vector<std::string_view> chunks;
  for (std::size_t begin = 0; begin != text.size();) {
    const std::size_t end = end_of_chunk(text, begin, bytes);
    chunks.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return chunks;
}

namespace {

struct UsedMaterial {
  std::string_view name;
  // Line number of the first `usemtl` with this name in the chunk, counted from the begin of the
  // chunk
  u32 line;
};

/// The numbers of elements of a chunk, and the materials that it uses.
struct ChunkSurvey {
  ObjOffset counts;  // its member `material` is not used: see last_material
  std::vector<UsedMaterial> materials;
  std::optional<std::string_view> last_material;
  // The largest number of slashes in a corner: 1 for texture coordinates, 2 for normals
  i32 slashes = 0;
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

/// Adds the materials of a chunk that begins at `begin`. Returns the index of the last material in
/// use.
u32 add_materials(const ChunkSurvey& chunk, const ObjOffset& begin, ObjMaterialNames& to) {
  for (const UsedMaterial& used : chunk.materials) {
    const auto [entry, is_new] =
        to.index_of.try_emplace(std::string(used.name), static_cast<u32>(to.names.size()));
    if (!is_new) continue;
    to.names.push_back(entry->first);
    to.lines.push_back(begin.lines + used.line);
  }
  return chunk.last_material ? to.index_of.at(std::string(*chunk.last_material)) : begin.material;
}

void advance(ObjOffset& offset, const ObjOffset& counts) {
  offset.positions += counts.positions;
  offset.texcoords += counts.texcoords;
  offset.normals += counts.normals;
  offset.corners += counts.corners;
  offset.faces += counts.faces;
  offset.lines += counts.lines;
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
