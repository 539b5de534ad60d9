// Loads PLY files as scenes.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/ply_file.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/give_back.hpp"

namespace ballotcast::detail {

namespace {

/// The meaning of a number in the row of a vertex or a face.
enum Slot { kX, kY, kZ, kNormalX, kNormalY, kNormalZ, kU, kV, kRed, kGreen, kBlue, kAlpha, kSlots };

/// The names of these numbers in files. If a file has several of these names, the first one is
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
     {"blue", "diffuse_blue", "b"},
     {"alpha", "diffuse_alpha", "a"}}};

/// Maps the properties of an element to slots.
class Slots {
 public:
  explicit Slots(const PlyElement& element) : slot_of_(element.properties.size(), -1) {
    for (std::size_t slot = 0; slot < kSlots; ++slot)
      for (const std::string_view name : kNames[slot]) {
        const int found = name.empty() || is_there_[slot] ? -1 : element.find(name);
        if (found < 0 || element.properties[static_cast<std::size_t>(found)].count_type) continue;
        slot_of_[static_cast<std::size_t>(found)] = static_cast<int>(slot);
        is_there_[slot] = true;
      }
  }
  /// The slot of a property, or -1.
  int slot_of(std::size_t property) const { return slot_of_[property]; }
  /// True if the element has the `count` slots from `first` on.
  bool has(std::size_t first, std::size_t count) const {
    return std::all_of(&is_there_[first], &is_there_[first] + count, [](bool is) { return is; });
  }

 private:
  std::vector<int> slot_of_;
  std::array<bool, kSlots> is_there_{};
};

/// The value that represents 1 in a colour of this type.
double full_color(PlyType type) {
  if (type >= PlyType::float32) return 1.0;
  return size_of(type) == 2 ? 65535.0 : 255.0;
}

i32 index_of(double number) {
  return number >= 0.0 && number <= 2147483647.0 && number == std::floor(number)
             ? static_cast<i32>(number)
             : kInvalid;
}

/// True for the element of triangle strips, which the large models of Stanford have.
bool is_strips(const PlyElement& element) {
  return element.name == "tristrips" || element.name == "tristrip";
}

/// True for the number that ends a strip: -1, or in an unsigned type the largest number, unless
/// there is a vertex with this index.
bool ends_strip(double number, PlyType type, u64 vertices) {
  if (number == -1.0) return true;
  const double last = type == PlyType::uint8    ? 255.0
                      : type == PlyType::uint16 ? 65535.0
                      : type == PlyType::uint32 ? 4294967295.0
                                                : -1.0;
  return number == last && number >= static_cast<double>(vertices);
}

template <class Rows>
class Loader {
 public:
  Loader(const PlyHeader& header, Rows& rows, const std::string& path, FaceColors& face_colors,
         SceneData& scene)
      : header_(header), rows_(rows), path_(path), face_colors_(face_colors), scene_(scene) {
    mesh_.place_word = Rows::kPlace;
  }

  PolygonMesh read() {
    // Faces may come before vertices in the file, so the attributes of vertices must be known
    // first.
    const PlyElement* const vertices = header_.find("vertex");
    if (!vertices || vertices->properties.empty())
      throw InputError(path_ + ": the header has no element \"vertex\"");
    const Slots slots(*vertices);
    vertices_ = vertices->count;
    has_normals_ = slots.has(kNormalX, 3);
    has_texcoords_ = slots.has(kU, 2);
    has_colors_ = slots.has(kRed, 3);
    std::string others;
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty()) continue;
      rows_.require(element);
      if (&element == vertices)
        read_vertices(element, slots);
      else if (element.name == "face")
        read_faces(element);
      else if (is_strips(element))
        read_strips(element);
      else if (skip_element(rows_, element); element.count != 0)
        others += (others.empty() ? "" : ", ") + quoted_name(element.name);
    }
    mesh_.has_lines_or_points = !mesh_.positions.empty();
    report_all(others);
    return std::move(mesh_);
  }

 private:
  void report_all(const std::string& others) {
    std::vector<std::string>& warnings = scene_.warnings;
    report(path_,
           {{rows_.no_numbers, "lines with words that are not numbers"},
            {rows_.too_many, "lines with more numbers than the header states"}},
           warnings);
    if (!others.empty()) warnings.push_back(path_ + ": elements left out: " + others);
    color_defects_.bad_of_faces = face_colors_.out_of_range();
    report_colors(path_, color_defects_, warnings);
    if (const std::string rest = rows_.rest(); !rest.empty()) warnings.push_back(rest);
  }

  /// Reads row `i` of `element`. Numbers with a slot are stored in row_. `read_list` is called for
  /// each property without a slot; it returns false if it did not read the property.
  template <class ReadList>
  void read_row(const PlyElement& element, const Slots& slots, u64 i, const ReadList& read_list) {
    rows_.begin(element, i);
    for (std::size_t k = 0; k < element.properties.size(); ++k) {
      const PlyProperty& property = element.properties[k];
      const int slot = slots.slot_of(k);
      if (slot < 0) {
        if (!read_list(static_cast<int>(k), property)) skip_property(rows_, property);
        continue;
      }
      const double number = rows_.number(property.type);
      row_[static_cast<std::size_t>(slot)] =
          slot >= kRed ? number / full_color(property.type) : number;
    }
    rows_.end();
    if (slots.has(kAlpha, 1) && row_[kAlpha] < 1.0) ++color_defects_.see_through;
  }

  void read_vertices(const PlyElement& element, const Slots& slots) {
    if (!slots.has(kX, 3)) throw InputError(path_ + ": vertices without properties x, y and z");
    if (element.count > 2147483647u) throw InputError(path_ + ": more than 2^31 vertices");
    const std::size_t count = static_cast<std::size_t>(element.count);
    mesh_.positions.reserve(count);
    if (has_normals_) mesh_.normals.reserve(count);
    if (has_texcoords_) mesh_.texcoords.reserve(count);
    if (has_colors_) mesh_.colors.reserve(count);
    const auto no_list = [](int, const PlyProperty&) { return false; };
    for (u64 i = 0; i < element.count; ++i) {
      read_row(element, slots, i, no_list);
      mesh_.positions.emplace_back(row_[kX], row_[kY], row_[kZ]);
      if (has_normals_) mesh_.normals.emplace_back(row_[kNormalX], row_[kNormalY], row_[kNormalZ]);
      if (has_texcoords_)
        mesh_.texcoords.emplace_back(static_cast<float>(row_[kU]), static_cast<float>(row_[kV]));
      if (has_colors_) {
        bool fits = true;
        mesh_.colors.push_back(linear_vertex_color({row_[kRed], row_[kGreen], row_[kBlue]}, fits));
        if (!fits) ++color_defects_.bad_of_vertices;
      }
    }
  }

  static bool is_list(const PlyElement& element, int i) {
    return i >= 0 && element.properties[static_cast<std::size_t>(i)].count_type;
  }

  /// The index of the property with the list of vertices of a face or strip.
  int corners_of(const PlyElement& element) const {
    int corners = element.find("vertex_indices");
    if (corners < 0) corners = element.find("vertex_index");
    if (!is_list(element, corners) && element.count != 0)
      throw InputError(path_ + ": " + (is_strips(element) ? "strips" : "faces") +
                       " without a list vertex_indices");
    return corners;
  }

  void read_faces(const PlyElement& element) {
    const int corners = corners_of(element), texcoords = element.find("texcoord");
    const bool own_texcoords = is_list(element, texcoords);
    const Slots slots(element);
    const bool own_color = slots.has(kRed, 3) && !has_colors_;
    if (slots.has(kRed, 3) && has_colors_) color_defects_.unused += element.count;
    std::vector<double> pairs;
    const auto faces = static_cast<std::size_t>(element.count);
    mesh_.faces.reserve(mesh_.faces.size() + faces);
    mesh_.corners.reserve(mesh_.corners.size() + 3 * faces);  // most faces are triangles
    for (u64 i = 0; i < element.count; ++i) {
      const std::size_t first = mesh_.corners.size();
      pairs.clear();
      read_row(element, slots, i, [&](int k, const PlyProperty& property) {
        if (k == corners)
          for (u64 left = length_of_list(rows_, property); left != 0; --left)
            add_corner(index_of(rows_.number(property.type)));
        else if (k == texcoords && own_texcoords)
          for (u64 left = length_of_list(rows_, property); left != 0; --left)
            pairs.push_back(rows_.number(property.type));
        else
          return false;
        return true;
      });
      if (own_texcoords) use_texcoords(pairs, first);
      end_face(first,
               own_color ? face_colors_.material_of({row_[kRed], row_[kGreen], row_[kBlue]}) : 0);
    }
  }

  /// Reads strips: each corner from the third on makes a triangle with the two corners before it.
  /// In every second triangle, these two are swapped.
  void read_strips(const PlyElement& element) {
    const int corners = corners_of(element);
    const Slots slots(element);
    for (u64 i = 0; i < element.count; ++i)
      read_row(element, slots, i, [&](int k, const PlyProperty& property) {
        if (k != corners) return false;
        std::array<i32, 2> last{};
        u64 length = 0;
        for (u64 left = length_of_list(rows_, property); left != 0; --left) {
          const double number = rows_.number(property.type);
          if (ends_strip(number, property.type, vertices_)) {
            length = 0;
            continue;
          }
          const i32 corner = index_of(number);
          if (++length > 2) add_triangle(last[0], last[1], corner);
          last[(length + 1) % 2] = corner;
        }
        return true;
      });
  }

  void add_triangle(i32 a, i32 b, i32 c) {
    // Triangles without an area only connect strips.
    if (a == b || b == c || c == a) return;
    const std::size_t first = mesh_.corners.size();
    for (const i32 corner : {a, b, c}) add_corner(corner);
    end_face(first, 0);
  }

  /// Adds a face with the corners from `first` on.
  void end_face(std::size_t first, u32 material) {
    mesh_.faces.push_back({static_cast<u32>(first), static_cast<u32>(mesh_.corners.size() - first),
                           material, rows_.place()});
  }

  void add_corner(i32 index) {
    if (mesh_.corners.size() == 0xffffffffu) throw InputError(path_ + ": more than 2^32 corners");
    mesh_.corners.push_back(
        {index, has_texcoords_ ? index : kAbsent, has_normals_ ? index : kAbsent});
  }

  /// Sets the texture coordinates of the corners from `first` on to those of their face.
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
  FaceColors& face_colors_;
  SceneData& scene_;
  PolygonMesh mesh_;
  u64 vertices_ = 0;
  bool has_normals_ = false, has_texcoords_ = false, has_colors_ = false;
  std::array<double, kSlots> row_{};
  ColorDefects color_defects_;
};

PolygonMesh read_mesh(std::vector<u8>& bytes, PlyHeader& header, const std::string& path,
                      FaceColors& face_colors, SceneData& scene) {
  Lines lines(bytes);
  header = parse_ply_header(lines, bytes, path);
  if (header.encoding == PlyEncoding::ascii) {
    PlyTextRows rows(lines, path, bytes.size() - header.bytes);
    return Loader(header, rows, path, face_colors, scene).read();
  }
  PlyBinaryRows rows(ByteReader(bytes, path, header.bytes),
                     header.encoding == PlyEncoding::big ? ByteOrder::big : ByteOrder::little,
                     path);
  return Loader(header, rows, path, face_colors, scene).read();
}

/// The material of faces without a colour, with the texture in the header.
Material plain_material(const std::string& path, const PlyHeader& header, SceneData& scene) {
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
  return material;
}

}  // namespace

SceneData load_ply(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_mesh_file(path);
  require_bytewise(bytes, path);
  SceneData scene = scene_of_file(path);
  PlyHeader header;
  FaceColors face_colors;
  PolygonMesh mesh = read_mesh(bytes, header, path, face_colors, scene);
  drop(bytes);
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  face_colors.use(path, mesh, pieces, plain_material(path, header, scene), scene);
  return scene;
}

}  // namespace ballotcast::detail
