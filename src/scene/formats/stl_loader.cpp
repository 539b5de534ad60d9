// Loads STL files as scenes. In the file each triangle has its own vertices; vertices at equal
// positions are merged.
#include <bit>
#include <limits>

#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/readers.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

u64 bits_of_double(double value) { return std::bit_cast<u64>(value); }

bool same(const dvec3& a, const dvec3& b) {
  return bits_of_double(a.x) == bits_of_double(b.x) && bits_of_double(a.y) == bits_of_double(b.y) &&
         bits_of_double(a.z) == bits_of_double(b.z);
}

/// Merges equal positions into one index. Positions are equal if all their bits are equal, where -0
/// counts as 0.
class Welder {
 public:
  /// The distinct positions are appended to `positions`, in the order of their first occurrence.
  explicit Welder(std::vector<dvec3>& positions) : positions_(positions), slots_(1024, kEmpty) {}

  /// Returns the index of `position`. A new position is appended.
  u32 index_of(dvec3 position);

 private:
  static constexpr u32 kEmpty = 0xffffffffu;

  /// The slot that contains `position`, or the empty slot where it must be inserted.
  std::size_t slot_of(const dvec3& position) const;

  std::vector<dvec3>& positions_;
  std::vector<u32> slots_;  // a hash table of indices; its size is a power of 2
};

std::size_t Welder::slot_of(const dvec3& position) const {
  u64 hash = 0;
  for (const double c : {position.x, position.y, position.z}) {
    // The finalizer of splitmix64 (G. Steele and others, Fast Splittable Pseudorandom Number
    // Generators, 2014).
    hash += bits_of_double(c) + 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot] != kEmpty && !same(positions_[slots_[slot]], position))
    slot = (slot + 1) & mask;
  return slot;
}

u32 Welder::index_of(dvec3 position) {
  position += 0.0;  // turns -0 into 0
  const std::size_t slot = slot_of(position);
  if (slots_[slot] != kEmpty) return slots_[slot];
  const u32 index = static_cast<u32>(positions_.size());
  slots_[slot] = index;
  positions_.push_back(position);
  if (positions_.size() * 2 > slots_.size()) {
    slots_.assign(slots_.size() * 2, kEmpty);
    for (u32 i = 0; i <= index; ++i) slots_[slot_of(positions_[i])] = i;
  }
  return index;
}

constexpr std::size_t kHeader = 80;  // bytes before the number of triangles
constexpr std::size_t kBegin = 84;   // position of the first triangle in bytes
// Bytes of a triangle: normal, three corners, two bytes for a colour
constexpr std::size_t kTriangle = 50;
constexpr std::size_t kNormal = 12;  // bytes of a normal
constexpr u64 kMostVertices = 0x7fffffff;

/// Returns the first word of a line in lower case. "end" is joined to the word after it, because
/// some programs write "end loop" and so on.
std::string first_word(std::string_view& rest) {
  std::string word = lowered(std::string(next_word(rest)));
  if (word == "end") word += lowered(std::string(next_word(rest)));
  return word;
}

bool is_comment(std::string_view word) {
  return word.starts_with('#') || word.starts_with(';') || word.starts_with("//");
}

/// True if the file is text. Binary files often begin with "solid", too. So a file counts as binary
/// if it has exactly the size that its number of triangles requires, or if there is a zero byte
/// near its beginning. Throws InputError for a file that is neither text nor binary STL.
bool is_text(const std::vector<u8>& bytes, const std::string& path) {
  const u64 count =
      bytes.size() < kBegin ? 0 : u64{number_at<u32>(bytes.data() + kHeader)} * kTriangle;
  if (bytes.size() >= kBegin && bytes.size() - kBegin == count) return false;
  require_bytewise(bytes, path);
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view front = without_mark(all).substr(0, 1024);
  // The number of triangles contains a zero byte unless there are more than 2^24.
  const bool is_binary = front.find('\0') != front.npos;
  const bool is_cut_off = bytes.size() < kBegin || bytes.size() - kBegin < count;
  if (is_binary && is_cut_off && !seems_to_be(bytes).empty() && !front.starts_with("solid"))
    refuse_lookalike(path, "an STL file", bytes);
  if (is_binary) return false;
  Lines lines(bytes);
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string word = first_word(rest);
    if (word == "solid" || word == "facet") return true;
  }
  refuse_lookalike(path, "an STL file", bytes);
}

/// The colours of the triangles in a binary file. There are two encodings; the header says which
/// one is used. Both have 5 bits per colour in the last two bytes of a triangle (Rapid Product
/// Development Research Centre,
/// http://rpdrc.ic.polyu.edu.hk/old_files/stl_colour_binary_format.htm).
class StlColors {
 public:
  explicit StlColors(std::string_view header) {
    // MATERIAL has three colours, of which the first is the diffuse colour. It takes precedence
    // over COLOR (https://en.wikipedia.org/wiki/STL_(file_format)#Color_in_binary_STL).
    for (const std::string_view key : {"MATERIAL=", "COLOR="}) {
      const std::size_t at = header.find(key);
      if (at == header.npos || header.size() - at - key.size() < 4 || whole_) continue;
      const auto code = [&](std::size_t i) {
        return static_cast<u8>(header[at + key.size() + i]) / 255.0;
      };
      whole_ = colors.material_of({code(0), code(1), code(2)});
    }
  }

  /// Returns the Polygon::material of a triangle whose last two bytes are `word`.
  u32 material_of(u16 word) {
    any_ = any_ || word != 0;
    const auto part = [&](int shift) { return (word >> shift & 31) / 31.0; };
    const bool marked = (word & 0x8000) != 0;
    // Magics: the top bit means that the triangle has the colour of the whole file, and red is in
    // the lowest bits.
    if (whole_) return marked ? *whole_ : colors.material_of({part(0), part(5), part(10)});
    // VisCAM and SolidView: the top bit means that there is a colour, and blue is in the lowest
    // bits.
    return marked ? colors.material_of({part(10), part(5), part(0)}) : 0;
  }

  /// The material of all triangles, if the header has a colour and no triangle has one. Otherwise
  /// their zero bytes would make them black.
  std::optional<u32> of_all() const { return any_ ? std::nullopt : whole_; }

  FaceColors colors;

 private:
  std::optional<u32> whole_;  // the material of the whole file, if the header has a colour
  bool any_ = false;          // true if any word is not 0
};

/// Collects faces whose corners are given as positions.
class Faces {
 public:
  Faces(PolygonMesh& mesh, const std::string& path)
      : mesh_(mesh), path_(path), welder_(mesh.positions) {}

  void add_corner(dvec3 position) {
    if (mesh_.corners.size() == kMostVertices) throw InputError(path_ + ": more than 2^31 corners");
    mesh_.corners.push_back({static_cast<i32>(welder_.index_of(position)), kAbsent, kAbsent});
  }
  /// Makes a face from the corners that were added since the last face.
  void end_face(u64 place, u32 material = 0) {
    const std::size_t count = mesh_.corners.size();
    mesh_.faces.push_back(
        {static_cast<u32>(begin_), static_cast<u32>(count - begin_), material, place});
    begin_ = count;
  }

 private:
  PolygonMesh& mesh_;
  const std::string& path_;
  Welder welder_;
  std::size_t begin_ = 0;
};

void read_binary(const std::vector<u8>& bytes, const std::string& path, PolygonMesh& mesh,
                 FaceColors& face_colors, SceneData& scene) {
  mesh.place_word = "byte";
  ByteReader reader(bytes, path);
  reader.require(1, kBegin, "header");
  StlColors colors({reinterpret_cast<const char*>(bytes.data()), kHeader});
  reader.skip(kHeader);
  const u32 count = reader.next<u32>();
  reader.require(count, kTriangle, "triangles");
  mesh.faces.reserve(count);
  mesh.corners.reserve(std::size_t{count} * 3);
  Faces faces(mesh, path);
  for (u32 i = 0; i < count; ++i) {
    const u64 place = reader.at();
    reader.skip(kNormal);
    for (int corner = 0; corner < 3; ++corner) {
      const float x = reader.next<float>(), y = reader.next<float>(), z = reader.next<float>();
      faces.add_corner(dvec3(vec3(x, y, z)));
    }
    faces.end_face(place, colors.material_of(reader.next<u16>()));
  }
  if (const std::optional<u32> material = colors.of_all())
    for (Polygon& face : mesh.faces) face.material = *material;
  face_colors = std::move(colors.colors);
  if (reader.left() != 0)
    scene.warnings.push_back(path + ": byte " + std::to_string(reader.at()) + ": " +
                             counted(reader.left(), "byte") + " behind the last triangle, ignored");
}

/// Reads a text file word by word, because some programs put several statements on a line.
class TextReader {
 public:
  TextReader(const std::vector<u8>& bytes, const std::string& path, PolygonMesh& mesh)
      : lines_(bytes), path_(path), faces_(mesh, path) {}

  void read(std::vector<std::string>& warnings) {
    while (lines_.next()) {
      rest_ = lines_.line();
      for (std::string word = first_word(rest_); !word.empty(); word = first_word(rest_))
        if (is_comment(word) || !read(word)) break;
    }
    if (in_facet_) throw InputError(path_ + ": the file is cut off: its last facet does not end");
    if (!has_ended_)
      warnings.push_back(path_ + ": no line \"endsolid\" at its end; the file may be cut off");
    report(path_,
           {{no_numbers_, "lines with coordinates that are not numbers"},
            {unknown_, "unknown lines, ignored"}},
           warnings);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(at_line(path_, lines_.number()) + why);
  }

  /// Processes a word. Returns false if the rest of the line is to be ignored.
  bool read(const std::string& word) {
    if (word == "solid" || word == "endsolid") {  // the rest of the line is a name
      has_ended_ = word == "endsolid";
      return false;
    }
    if (word == "facet") {
      if (in_facet_) fail("a facet begins before the last one ends");
      in_facet_ = true;
      begin_ = lines_.number();
    } else if (word == "normal") {
      for (int i = 0; i < 3; ++i) next_word(rest_);
    } else if (word == "vertex") {
      read_vertex();
    } else if (word == "endfacet") {
      if (!in_facet_) fail("\"endfacet\" without a facet");
      in_facet_ = false;
      faces_.end_face(begin_);
    } else if (word != "outer" && word != "loop" && word != "endloop") {
      unknown_.note(lines_.number());
      return false;
    }
    return true;
  }

  void read_vertex() {
    if (!in_facet_) fail("a vertex outside a facet");
    dvec3 position;
    bool all_numbers = true;
    for (int i = 0; i < 3; ++i) {
      const std::string_view number = next_word(rest_);
      if (number.empty()) fail("a vertex needs three numbers");
      const std::optional<double> value = number_of(number);
      all_numbers = all_numbers && value;
      position[i] = value.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    if (!all_numbers) no_numbers_.note(lines_.number());
    faces_.add_corner(position);
  }

  Lines lines_;
  const std::string& path_;
  Faces faces_;
  std::string_view rest_;  // rest of the line
  u32 begin_ = 0;          // number of the line where the facet begins
  bool in_facet_ = false, has_ended_ = false;
  LineTally no_numbers_, unknown_;
};

}  // namespace

SceneData load_stl(const std::string& path, const LoadOptions& options) {
  const std::vector<u8> bytes = read_mesh_file(path);
  SceneData scene = scene_of_file(path);
  PolygonMesh mesh;
  FaceColors colors;
  if (is_text(bytes, path))
    TextReader(bytes, path, mesh).read(scene.warnings);
  else
    read_binary(bytes, path, mesh, colors, scene);
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  colors.use(path, mesh, pieces, Material(), scene);
  return scene;
}

}  // namespace ballotcast::detail
