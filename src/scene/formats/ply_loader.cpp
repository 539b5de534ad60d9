// Loads PLY files as scenes.
#include <array>
#include <cmath>
#include <filesystem>

#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/named_files.hpp"
#include "scene/formats/ply_file.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

namespace {

/// What a number of a vertex is.
enum Slot { kX, kY, kZ, kNormalX, kNormalY, kNormalZ, kU, kV, kRed, kGreen, kBlue, kSlots };

/// The names that programs give to the numbers of a vertex. The first of a row that is there is
/// used.
constexpr std::array<std::array<std::string_view, 4>, kSlots> kNames = {
    {{"x"},
     {"y"},
     {"z"},
     {"nx", "normal_x"},
     {"ny", "normal_y"},
     {"nz", "normal_z"},
     {"u", "s", "texture_u", "texture_s"},
     {"v", "t", "texture_v", "texture_t"},
     {"red", "diffuse_red", "r"},
     {"green", "diffuse_green", "g"},
     {"blue", "diffuse_blue", "b"}}};

/// The properties of an element that go into slots.
struct Slots {
  std::array<int, kSlots> property;

  explicit Slots(const PlyElement& element) {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      property[slot] = -1;
      for (const std::string_view name : kNames[slot]) {
        if (name.empty() || property[slot] >= 0) continue;
        const int found = element.find(name);
        if (found >= 0 && !element.properties[static_cast<std::size_t>(found)].count_type)
          property[slot] = found;
      }
    }
  }
  /// True if `count` slots from `first` on are there.
  bool has(std::size_t first, std::size_t count) const {
    for (std::size_t slot = first; slot < first + count; ++slot)
      if (property[slot] < 0) return false;
    return true;
  }
};

/// The number that stands for 1 in a colour of this type.
double full_color(PlyType type) {
  if (type >= PlyType::float32) return 1.0;
  return size_of(type) == 2 ? 65535.0 : 255.0;
}

i32 index_of(double number) {
  return number >= 0.0 && number <= 2147483647.0 && number == std::floor(number)
             ? static_cast<i32>(number)
             : kInvalid;
}

template <class Rows>
class Loader {
 public:
  Loader(const PlyHeader& header, Rows& rows, const std::string& path, SceneData& scene)
      : header_(header), rows_(rows), path_(path), scene_(scene) {
    mesh_.place_word = Rows::kPlace;
  }

  PolygonMesh read() {
    std::string others;
    bool has_vertices = false;
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      rows_.require(element);
      if (element.name == "vertex") {
        read_vertices(element);
        has_vertices = true;
      } else if (element.name == "face") {
        read_faces(element);
      } else {
        if (element.count != 0) others += (others.empty() ? "" : ", ") + quoted_name(element.name);
        for (u64 i = 0; i < element.count; ++i) {
          rows_.begin(element, i);
          for (const PlyProperty& property : element.properties) skip(property);
          rows_.end();
        }
      }
    }
    if (!has_vertices) throw InputError(path_ + ": the header has no element \"vertex\"");
    mesh_.has_lines_or_points = !mesh_.positions.empty();
    report(path_,
           {{rows_.no_numbers, "lines with words that are not numbers"},
            {rows_.too_many, "lines with more numbers than the header states"}},
           scene_.warnings);
    if (!others.empty()) scene_.warnings.push_back(path_ + ": elements left out: " + others);
    if (bad_colors_ != 0)
      scene_.warnings.push_back(path_ + ": " + kColorsOutOfRange + ": " +
                                std::to_string(bad_colors_));
    if (const std::string rest = rows_.rest(); !rest.empty()) scene_.warnings.push_back(rest);
    return std::move(mesh_);
  }

 private:
  u64 length_of_list(const PlyProperty& property) {
    const double length = rows_.number(*property.count_type);
    if (!(length >= 0.0 && length == std::floor(length) && length < 4294967296.0))
      rows_.fail("the length of a list is not a number of at least 0");
    const u64 count = static_cast<u64>(length);
    rows_.require_numbers(count, property.type);
    return count;
  }

  void skip(const PlyProperty& property) {
    const u64 count = property.count_type ? length_of_list(property) : 1;
    for (u64 i = 0; i < count; ++i) rows_.number(property.type);
  }

  void read_vertices(const PlyElement& element) {
    const Slots slots(element);
    if (!slots.has(kX, 3)) throw InputError(path_ + ": vertices without properties x, y and z");
    if (element.count > 2147483647u) throw InputError(path_ + ": more than 2^31 vertices");
    has_normals_ = slots.has(kNormalX, 3);
    has_texcoords_ = slots.has(kU, 2);
    const bool has_colors = slots.has(kRed, 3);
    std::vector<int> slot_of(element.properties.size(), -1);
    for (int slot = 0; slot < kSlots; ++slot)
      if (const int property = slots.property[static_cast<std::size_t>(slot)]; property >= 0)
        slot_of[static_cast<std::size_t>(property)] = slot;
    const std::size_t count = static_cast<std::size_t>(element.count);
    mesh_.positions.reserve(count);
    if (has_normals_) mesh_.normals.reserve(count);
    if (has_texcoords_) mesh_.texcoords.reserve(count);
    if (has_colors) mesh_.colors.reserve(count);
    std::array<double, kSlots> row{};
    for (u64 i = 0; i < element.count; ++i) {
      rows_.begin(element, i);
      for (std::size_t k = 0; k < slot_of.size(); ++k) {
        const PlyProperty& property = element.properties[k];
        if (slot_of[k] < 0) {
          skip(property);
          continue;
        }
        double& value = row[static_cast<std::size_t>(slot_of[k])];
        value = rows_.number(property.type);
        if (slot_of[k] >= kRed) value /= full_color(property.type);
      }
      rows_.end();
      mesh_.positions.emplace_back(row[kX], row[kY], row[kZ]);
      if (has_normals_) mesh_.normals.emplace_back(row[kNormalX], row[kNormalY], row[kNormalZ]);
      if (has_texcoords_)
        mesh_.texcoords.emplace_back(static_cast<float>(row[kU]), static_cast<float>(row[kV]));
      if (has_colors) {
        bool fits = true;
        mesh_.colors.push_back(linear_vertex_color({row[kRed], row[kGreen], row[kBlue]}, fits));
        if (!fits) ++bad_colors_;
      }
    }
  }

  void read_faces(const PlyElement& element) {
    int corners = element.find("vertex_indices");
    if (corners < 0) corners = element.find("vertex_index");
    const auto is_list = [&](int i) {
      return i >= 0 && element.properties[static_cast<std::size_t>(i)].count_type;
    };
    if (!is_list(corners)) throw InputError(path_ + ": faces without a list vertex_indices");
    const int texcoords = element.find("texcoord");
    const bool own_texcoords = is_list(texcoords);
    if (Slots(element).has(kRed, 3))
      scene_.warnings.push_back(path_ + ": colours of faces left out");
    std::vector<double> pairs;
    mesh_.faces.reserve(static_cast<std::size_t>(element.count));
    for (u64 i = 0; i < element.count; ++i) {
      rows_.begin(element, i);
      const std::size_t first = mesh_.corners.size();
      pairs.clear();
      for (int k = 0; k < static_cast<int>(element.properties.size()); ++k) {
        const PlyProperty& property = element.properties[static_cast<std::size_t>(k)];
        if (k == corners) {
          for (u64 left = length_of_list(property); left != 0; --left) add_corner(property.type);
        } else if (k == texcoords && own_texcoords) {
          for (u64 left = length_of_list(property); left != 0; --left)
            pairs.push_back(rows_.number(property.type));
        } else {
          skip(property);
        }
      }
      rows_.end();
      if (own_texcoords) use_texcoords(pairs, first);
      mesh_.faces.push_back({static_cast<u32>(first),
                             static_cast<u32>(mesh_.corners.size() - first), 0, rows_.place()});
    }
  }

  void add_corner(PlyType type) {
    if (mesh_.corners.size() == 0xffffffffu) throw InputError(path_ + ": more than 2^32 corners");
    const i32 index = index_of(rows_.number(type));
    mesh_.corners.push_back(
        {index, has_texcoords_ ? index : kAbsent, has_normals_ ? index : kAbsent});
  }

  /// Gives the corners from `first` on the texture coordinates of their face.
  void use_texcoords(const std::vector<double>& pairs, std::size_t first) {
    const bool fit = pairs.size() == 2 * (mesh_.corners.size() - first) &&
                     mesh_.texcoords.size() + pairs.size() < 2147483647u;
    for (std::size_t i = first; i < mesh_.corners.size(); ++i) {
      if (pairs.empty()) continue;
      mesh_.corners.set_texcoord(i, fit ? static_cast<i32>(mesh_.texcoords.size()) : kInvalid);
      if (!fit) continue;
      mesh_.texcoords.emplace_back(static_cast<float>(pairs[2 * (i - first)]),
                                   static_cast<float>(pairs[2 * (i - first) + 1]));
    }
  }

  const PlyHeader& header_;
  Rows& rows_;
  const std::string& path_;
  SceneData& scene_;
  PolygonMesh mesh_;
  bool has_normals_ = false, has_texcoords_ = false;
  u64 bad_colors_ = 0;
};

PolygonMesh read_mesh(std::vector<u8>& bytes, PlyHeader& header, const std::string& path,
                      SceneData& scene) {
  Lines lines(bytes);
  header = parse_ply_header(lines, bytes, path);
  if (header.encoding == PlyEncoding::ascii) {
    PlyTextRows rows(lines, path, bytes.size() - header.bytes);
    return Loader(header, rows, path, scene).read();
  }
  PlyBinaryRows rows(ByteReader(bytes, path, header.bytes),
                     header.encoding == PlyEncoding::big ? ByteOrder::big : ByteOrder::little,
                     path);
  return Loader(header, rows, path, scene).read();
}

/// Adds the one material, with the texture that the header names.
void add_material(const std::string& path, const PlyHeader& header, SceneData& scene) {
  Material material = default_material(scene.mesh);
  if (!header.texture.empty()) {
    const std::string place = at_line(path, header.texture_line);
    const auto file = find_file(std::filesystem::path(path).parent_path(), header.texture, scene);
    if (file)
      material.color_texture = add_texture_file(*file, header.texture, place, scene);
    else
      scene.warnings.push_back(place + "texture " + quoted_name(header.texture) + " not found");
    if (material.color_texture != kNoTexture) material.color = vec3(1.0f);
  }
  scene.materials.push_back(material);
  scene.material_names.emplace_back("default");
}

}  // namespace

SceneData load_ply(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_maybe_gzip(path);
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  PlyHeader header;
  PolygonMesh mesh = read_mesh(bytes, header, path, scene);
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  add_material(path, header, scene);
  use_materials(path, mesh, pieces, {{0}, {{}}}, scene);
  return scene;
}

}  // namespace ballotcast::detail
