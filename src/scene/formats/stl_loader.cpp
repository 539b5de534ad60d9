#include "scene/formats/stl_loader.hpp"

#include <limits>

#include "scene/file_materials.hpp"
#include "scene/fill_mesh.hpp"
#include "scene/formats/byte_reader.hpp"
#include "scene/formats/weld.hpp"
#include "scene/named_files.hpp"
#include "scene/text.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

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
  Faces(FileMesh& mesh, const std::string& path)
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
  FileMesh& mesh_;
  const std::string& path_;
  Welder welder_;
  std::size_t begin_ = 0;
};

void read_binary(const std::vector<u8>& bytes, const std::string& path, FileMesh& mesh,
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

void read_text(std::vector<u8>& bytes, const std::string& path, FileMesh& mesh, SceneData& scene) {
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
  FileMesh mesh;
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
