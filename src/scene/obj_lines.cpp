#include "scene/obj_lines.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace ballotcast::detail {
namespace {

/// Keywords of free-form curves and surfaces.
constexpr std::array<std::string_view, 21> kCurves = {
    "vp",   "cstype", "deg", "bmat", "step",    "curv", "curv2", "surf", "parm", "trim", "hole",
    "scrv", "sp",     "end", "con",  "curv_2d", "res",  "bsp",   "bzp",  "cdc",  "cdp"};

/// Keywords that have no effect on the picture.
constexpr std::array<std::string_view, 14> kIgnored = {
    "o",   "g",          "s",         "mg",    "bevel", "c_interp", "d_interp",
    "lod", "shadow_obj", "trace_obj", "ctech", "stech", "maplib",   "usemap"};

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
  if (word == "l" || word == "p") return ObjKeyword::line_or_point;
  if (among(word, kCurves)) return ObjKeyword::curve;
  if (word == "call" || word == "csh") return ObjKeyword::command;
  return among(word, kIgnored) ? ObjKeyword::ignored : ObjKeyword::unknown;
}

/// True for lines of geometry: only these are continued by backslashes and may have comments.
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

/// The end of the chunk that begins at `begin` and is at least `bytes` long, if the text is.
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

}  // namespace ballotcast::detail
