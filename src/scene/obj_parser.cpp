// tinyobjloader is included here and nowhere else.
//
// Its callback interface is the one used: it survives faces that the other one gives up a whole
// file for, keeps names with spaces, and says which line a face came from, which is what warnings
// need. It leaves polygons whole (see polygon.hpp).
#include "scene/obj_parser.hpp"

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

#include <charconv>
#include <istream>
#include <limits>
#include <map>
#include <sstream>
#include <streambuf>
#include <string_view>
#include <unordered_map>

#include "scene/text.hpp"
#include "support/error.hpp"

namespace ballotcast {
namespace {

/// Hands text to an istream one line at a time, so that a callback can ask which line it is in.
/// Mends on the way what tinyobjloader does not know: continued lines, lone carriage returns, and
/// comments after a face.
class LineFeeder : public std::streambuf {
 public:
  explicit LineFeeder(std::vector<u8>& bytes)
      : next_(reinterpret_cast<char*>(bytes.data())), end_(next_ + bytes.size()) {}

  /// The line that was handed out last.
  std::string_view line() const { return {begin_, static_cast<std::size_t>(next_ - begin_)}; }

  /// Its number, from 1.
  u32 number() const { return number_; }

  /// How many `l` and `p` elements were handed out.
  u64 lines_and_points() const { return lines_and_points_; }

 protected:
  int_type underflow() override {
    if (next_ == end_) return traits_type::eof();
    begin_ = next_;
    number_ = ends_ + 1;
    char* text = begin_;
    while (text != end_ && (*text == ' ' || *text == '\t')) ++text;
    const char kind = text == end_ ? '\0' : *text;
    if ((kind == 'l' || kind == 'p') && text + 1 != end_ && is_blank(text[1])) ++lines_and_points_;
    for (;;) {
      char* stop = next_;
      while (stop != end_ && *stop != '\n' && *stop != '\r') ++stop;
      ++ends_;
      if (kind == 'f') blank_comment(next_, stop);
      const bool continued = (kind == 'f' || kind == 'v') && stop != begin_ && stop[-1] == '\\';
      if (stop == end_) {
        next_ = end_;
        break;
      }
      char* after = stop + 1;
      if (*stop == '\r' && after != end_ && *after == '\n') ++after;
      next_ = after;
      if (!continued || after == end_) {
        *stop = after - stop == 2 ? '\r' : '\n';
        break;
      }
      for (char* c = stop - 1; c != after; ++c) *c = ' ';
    }
    setg(begin_, begin_, next_);
    return traits_type::to_int_type(*begin_);
  }

 private:
  static void blank_comment(char* begin, char* end) {
    bool comment = false;
    for (char* c = begin; c != end; ++c) {
      comment = comment || *c == '#';
      if (comment && *c != '\\') *c = ' ';
    }
  }

  char* begin_ = nullptr;
  char* next_;
  char* end_;
  u32 number_ = 0;  // of the line that begins at begin_
  u32 ends_ = 0;    // line ends passed
  u64 lines_and_points_ = 0;
};

/// Reads the next number of `text`. Correctly rounded and the same on every machine, which
/// tinyobjloader's own, made from pow, is not; and "nan" is NaN, not 0. What is no number at all
/// is NaN; what is not there is `missing`.
double take_number(std::string_view& text, double missing) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) ++at;
  text.remove_prefix(at);
  if (text.empty()) return missing;
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  double value = std::numeric_limits<double>::quiet_NaN();
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Too small is 0, too large is infinite; an exponent below zero tells which.
    const std::string_view token(text.data(), static_cast<std::size_t>(stop - text.data()));
    value = token.find("e-") != token.npos || token.find("E-") != token.npos
                ? 0.0
                : std::numeric_limits<double>::infinity();
  } else if (error == std::errc() && stop != text.data() + text.size() && *stop == '#') {
    value = std::numeric_limits<double>::quiet_NaN();  // 1.#QNAN of old C libraries
  }
  at = 0;
  while (at < text.size() && !is_blank(text[at])) ++at;
  text.remove_prefix(at);
  return value;
}

struct Parse {
  ObjText obj;
  LineFeeder feeder;
  const std::string& name;
  std::unordered_map<std::string, u32> material_index;
  u32 material = 0;

  /// What follows the keyword of the current line.
  std::string_view arguments() const {
    std::string_view line = trimmed(feeder.line());
    while (!line.empty() && !is_blank(line.front())) line.remove_prefix(1);
    return line;
  }

  /// An index from 0 of one that counts from 1, or backwards from the `count` given so far.
  static i32 resolve(int index, std::size_t count) {
    if (index > 0) return index - 1;
    const i64 from_end = static_cast<i64>(count) + index;
    return index == 0 || from_end < 0 ? kInvalid : static_cast<i32>(from_end);
  }
  using i64 = std::int64_t;
};

Parse& parse_of(void* context) { return *static_cast<Parse*>(context); }

dvec3 take_vector(std::string_view text) {
  dvec3 v;
  v.x = take_number(text, 0.0);
  v.y = take_number(text, 0.0);
  v.z = take_number(text, 0.0);
  return v;
}

void on_position(void* context, double, double, double, double) {
  Parse& parse = parse_of(context);
  parse.obj.positions.push_back(take_vector(parse.arguments()));
}

void on_normal(void* context, double, double, double) {
  Parse& parse = parse_of(context);
  parse.obj.normals.push_back(take_vector(parse.arguments()));
}

void on_texcoord(void* context, double, double, double) {
  Parse& parse = parse_of(context);
  std::string_view text = parse.arguments();
  const double u = take_number(text, 0.0);
  const double v = take_number(text, 0.0);
  parse.obj.texcoords.emplace_back(static_cast<float>(u), static_cast<float>(v));
}

void on_face(void* context, tinyobj::index_t* indices, int count) {
  Parse& parse = parse_of(context);
  ObjText& obj = parse.obj;
  if (obj.corners.size() + static_cast<u64>(count) > std::numeric_limits<u32>::max())
    throw InputError(parse.name + ": more face corners than 32 bits can number");
  obj.faces.push_back({static_cast<u32>(obj.corners.size()), static_cast<u32>(count),
                       parse.feeder.number(), parse.material});
  // A face is `1//3` or `1/2/3`; tinyobjloader gives 0 for what is left out.
  for (int i = 0; i < count; ++i) {
    const tinyobj::index_t& given = indices[i];
    ObjCorner corner;
    corner.position = Parse::resolve(given.vertex_index, obj.positions.size());
    corner.texcoord = given.texcoord_index == 0
                          ? kAbsent
                          : Parse::resolve(given.texcoord_index, obj.texcoords.size());
    corner.normal =
        given.normal_index == 0 ? kAbsent : Parse::resolve(given.normal_index, obj.normals.size());
    obj.corners.push_back(corner);
  }
}

void on_material(void* context, const char* name, int) {
  Parse& parse = parse_of(context);
  const auto [entry, is_new] = parse.material_index.try_emplace(
      std::string(trimmed(name)), static_cast<u32>(parse.obj.material_names.size()));
  if (is_new) parse.obj.material_names.push_back(entry->first);
  parse.material = entry->second;
}

/// Notes `mtllib` lines; the files are read later, by someone who can warn.
class LibraryNotes : public tinyobj::MaterialReader {
 public:
  explicit LibraryNotes(Parse& parse) : parse_(parse) {}
  bool operator()(const std::string&, std::vector<tinyobj::material_t>*,
                  std::map<std::string, int>*, std::string*, std::string*) override {
    const std::string rest(trimmed(parse_.arguments()));
    if (parse_.obj.libraries.empty() || parse_.obj.libraries.back() != rest)
      parse_.obj.libraries.push_back(rest);
    return true;
  }

 private:
  Parse& parse_;
};

/// What follows `key` in the first line of an MTL block that begins with it; empty if none does.
std::string_view value_of(std::string_view block, std::string_view key) {
  while (!block.empty()) {
    const std::size_t stop = block.find_first_of("\r\n");
    const std::string_view line = trimmed(block.substr(0, stop));
    if (line.size() > key.size() && line.starts_with(key) && is_blank(line[key.size()]))
      return trimmed(line.substr(key.size()));
    if (stop == block.npos) break;
    block.remove_prefix(stop + 1);
  }
  return {};
}

/// tinyobjloader takes the name for a number where an option like `-s` gives fewer than three; the
/// name is the last word then.
std::string map_name(const std::string& parsed, std::string_view value) {
  if (!trimmed(parsed).empty()) return std::string(trimmed(parsed));
  const std::size_t blank = value.find_last_of(" \t");
  return std::string(blank == value.npos ? value : value.substr(blank + 1));
}

ObjMaterial material_of(const std::string& block) {
  std::map<std::string, int> index;
  std::vector<tinyobj::material_t> parsed;
  std::istringstream stream(block);
  std::string warning, error;
  tinyobj::LoadMtl(&index, &parsed, &stream, &warning, &error);
  const tinyobj::material_t& from = parsed.back();
  ObjMaterial to;
  to.name = trimmed(from.name);
  to.has_color = !value_of(block, "Kd").empty();
  to.color = {from.diffuse[0], from.diffuse[1], from.diffuse[2]};
  to.emission = {from.emission[0], from.emission[1], from.emission[2]};
  // `d -halo 0.5` fades with the angle of view, which is not drawn.
  const bool halo = value_of(block, "d").starts_with("-halo");
  to.opacity = halo ? 1.0 : from.dissolve;
  to.color_map = map_name(from.diffuse_texname, value_of(block, "map_Kd"));
  to.opacity_map = map_name(from.alpha_texname, value_of(block, "map_d"));
  return to;
}

}  // namespace

ObjText parse_obj(std::vector<u8> bytes, const std::string& name) {
  Parse parse{ObjText{}, LineFeeder(bytes), name, {{"", 0}}, 0};
  parse.obj.material_names.emplace_back();
  std::istream stream(&parse.feeder);
  stream.exceptions(std::ios::badbit);  // so that what a callback throws arrives here
  LibraryNotes libraries(parse);
  tinyobj::callback_t callbacks;
  callbacks.vertex_cb = on_position;
  callbacks.normal_cb = on_normal;
  callbacks.texcoord_cb = on_texcoord;
  callbacks.index_cb = on_face;
  callbacks.usemtl_cb = on_material;
  tinyobj::LoadObjWithCallback(stream, callbacks, &parse, &libraries);
  parse.obj.lines_and_points = parse.feeder.lines_and_points();
  return std::move(parse.obj);
}

std::vector<ObjMaterial> parse_mtl(const std::vector<u8>& bytes) {
  // A block at a time: what tinyobjloader remembers of one material must not leak into the next.
  std::vector<ObjMaterial> materials;
  std::string block;
  const auto flush = [&] {
    if (!block.empty()) materials.push_back(material_of(block));
    block.clear();
  };
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!rest.empty()) {
    const std::size_t stop = rest.find_first_of("\r\n");
    const std::string_view line = trimmed(rest.substr(0, stop));
    if (line.starts_with("newmtl") && line.size() > 6 && is_blank(line[6])) {
      flush();
      block = line;
      block += '\n';
    } else if (!block.empty()) {
      block += line;
      block += '\n';
    }
    rest.remove_prefix(stop == rest.npos ? rest.size() : stop + 1);
  }
  flush();
  return materials;
}

}  // namespace ballotcast
