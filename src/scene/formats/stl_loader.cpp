// Loads STL files as scenes. Each of their triangles has its own vertices; equal positions become
// one.
#include <bit>
#include <limits>

#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/named_files.hpp"
#include "scene/formats/readers.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

u64 bits_of_double(double value) { return std::bit_cast<u64>(value); }

bool same(const dvec3& a, const dvec3& b) {
  return bits_of_double(a.x) == bits_of_double(b.x) && bits_of_double(a.y) == bits_of_double(b.y) &&
         bits_of_double(a.z) == bits_of_double(b.z);
}

/// Gives equal positions one index. Positions are equal if all their bits are, except that -0 is 0.
class Welder {
 public:
  /// The distinct positions, in the order in which they were first seen.
  explicit Welder(std::vector<dvec3>& positions) : positions_(positions), slots_(1024, kEmpty) {}

  /// The index of `position`, which is appended if it is new.
  u32 index_of(dvec3 position);

 private:
  static constexpr u32 kEmpty = 0xffffffffu;

  /// The slot of `position`, or the empty slot where it belongs.
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

constexpr std::size_t kHeader = 80;    // bytes, before the number of triangles
constexpr std::size_t kBegin = 84;     // byte of the first triangle
constexpr std::size_t kTriangle = 50;  // bytes: normal, three corners, two bytes without meaning
constexpr std::size_t kNormal = 12;    // bytes
constexpr u64 kMostVertices = 0x7fffffff;

/// True for text. Binary files often begin with "solid", too. So a file of exactly the size that a
/// binary one would have is binary, and so is one with a zero byte near its begin.
bool is_text(const std::vector<u8>& bytes, const std::string& path) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (bytes.size() >= kBegin &&
      bytes.size() - kBegin == u64{number_at<u32>(bytes.data() + kHeader)} * kTriangle)
    return false;
  require_bytewise(bytes, path);
  const std::string_view front = all.substr(0, 1024);
  const std::string_view marked = front.starts_with("\xef\xbb\xbf") ? front.substr(3) : front;
  std::string_view rest = marked;
  return lowered(std::string(next_word(rest))) == "solid" && front.find('\0') == front.npos;
}

/// Collects faces whose corners are positions.
class Faces {
 public:
  Faces(PolygonMesh& mesh, const std::string& path)
      : mesh_(mesh), path_(path), welder_(mesh.positions) {}

  void add_corner(dvec3 position) {
    if (mesh_.corners.size() == kMostVertices) throw InputError(path_ + ": more than 2^31 corners");
    mesh_.corners.push_back({static_cast<i32>(welder_.index_of(position)), kAbsent, kAbsent});
  }
  /// Makes a face of the corners since the last face.
  void end_face(u64 place) {
    const std::size_t count = mesh_.corners.size();
    mesh_.faces.push_back({static_cast<u32>(begin_), static_cast<u32>(count - begin_), 0, place});
    begin_ = count;
  }

 private:
  PolygonMesh& mesh_;
  const std::string& path_;
  Welder welder_;
  std::size_t begin_ = 0;
};

void read_binary(const std::vector<u8>& bytes, const std::string& path, PolygonMesh& mesh,
                 SceneData& scene) {
  mesh.place_word = "byte";
  ByteReader reader(bytes, path);
  reader.require(1, kBegin, "header");
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()), kHeader);
  if (header.find("COLOR=") != header.npos)
    scene.warnings.push_back(path + ": colours of triangles left out");
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
    reader.skip(kTriangle - 4 * kNormal);
    faces.end_face(place);
  }
  if (reader.left() != 0)
    scene.warnings.push_back(path + ": byte " + std::to_string(reader.at()) + ": " +
                             counted(reader.left(), "byte") + " behind the last triangle, ignored");
}

void read_text(std::vector<u8>& bytes, const std::string& path, PolygonMesh& mesh,
               SceneData& scene) {
  LineTally no_numbers, unknown;
  Faces faces(mesh, path);
  Lines lines(bytes);
  u32 begin = 0;
  bool in_facet = false, has_ended = false;
  const auto fail = [&](const std::string& why) {
    throw InputError(at_line(path, lines.number()) + why);
  };
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string word = lowered(std::string(next_word(rest)));
    if (word == "facet") {
      if (in_facet) fail("a facet begins before the last one ends");
      in_facet = true;
      begin = lines.number();
    } else if (word == "vertex") {
      if (!in_facet) fail("a vertex outside a facet");
      dvec3 position;
      bool all_numbers = true;
      for (int i = 0; i < 3; ++i) {
        const std::string_view number = next_word(rest);
        if (number.empty()) fail("a vertex needs three numbers");
        const std::optional<double> value = number_of(number);
        all_numbers = all_numbers && value;
        position[i] = value.value_or(std::numeric_limits<double>::quiet_NaN());
      }
      if (!all_numbers) no_numbers.note(lines.number());
      faces.add_corner(position);
    } else if (word == "endfacet") {
      if (!in_facet) fail("\"endfacet\" without a facet");
      in_facet = false;
      faces.end_face(begin);
    } else if (word == "endsolid") {
      has_ended = true;
    } else if (word == "solid") {
      has_ended = false;
    } else if (!word.empty() && word != "outer" && word != "endloop") {
      unknown.note(lines.number());
    }
  }
  if (in_facet || !has_ended)
    throw InputError(path + ": the file is cut off: it has no line \"endsolid\" at its end");
  report(path,
         {{no_numbers, "lines with coordinates that are not numbers"},
          {unknown, "unknown lines, ignored"}},
         scene.warnings);
}

}  // namespace

SceneData load_stl(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_maybe_gzip(path);
  if (bytes.empty()) throw InputError(path + ": empty file");
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  PolygonMesh mesh;
  if (is_text(bytes, path))
    read_text(bytes, path, mesh, scene);
  else
    read_binary(bytes, path, mesh, scene);
  fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  scene.materials.emplace_back();
  scene.material_names.emplace_back("default");
  return scene;
}

}  // namespace ballotcast::detail
