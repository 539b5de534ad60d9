// Loads OFF files as scenes (Geomview Manual, section "OFF Files",
// http://www.geomview.org/docs/html/OFF.html).
#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/readers.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The properties of vertices, from the keyword of a file.
struct OffKind {
  bool has_texcoords = false, has_colors = false, has_normals = false, has_weights = false;

  /// The number of values of a vertex, without its colour.
  std::size_t numbers() const {
    return 3 + (has_weights ? 1 : 0) + (has_normals ? 3 : 0) + (has_texcoords ? 2 : 0);
  }
};

/// Colours as written in the file: from 0 to 1, or from 0 to 255. The scale is determined from all
/// colours together, because many programs write 1 for 1.0.
class OffColors {
 public:
  /// Adds a colour. `words` must be three or four numbers.
  void add(std::span<const double> words) {
    for (const double c : words) {
      if (!std::isfinite(c)) continue;
      any_fraction_ = any_fraction_ || c != std::floor(c);
      largest_ = std::max(largest_, c);
    }
    colors_.emplace_back(words[0], words[1], words[2]);
    alphas_.push_back(words.size() == 4 ? words[3] : std::numeric_limits<double>::infinity());
  }
  std::size_t size() const { return colors_.size(); }
  dvec3 at(std::size_t i) const { return colors_[i] / full(); }
  u64 see_through() const {
    return static_cast<u64>(
        std::count_if(alphas_.begin(), alphas_.end(), [&](double a) { return a < full(); }));
  }

 private:
  double full() const { return any_fraction_ || largest_ <= 1.0 ? 1.0 : 255.0; }

  std::vector<dvec3> colors_;
  std::vector<double> alphas_;
  bool any_fraction_ = false;
  double largest_ = 0.0;
};

class OffReader {
 public:
  OffReader(const std::vector<u8>& bytes, const std::string& path, SceneData& scene)
      : bytes_(bytes), lines_(bytes), path_(path), scene_(scene) {}

  PolygonMesh read(FaceColors& face_colors) {
    read_header();
    read_vertices();
    read_faces();
    if (next_line())
      scene_.warnings.push_back(at_line(path_, lines_.number()) +
                                "lines behind the last face, ignored");
    use_colors(face_colors);
    report(path_,
           {{no_numbers_, "lines with words that are not numbers"},
            {too_many_, "lines with more numbers than the format has"},
            {from_map_, "faces with a colour of a colour map, left grey"}},
           scene_.warnings);
    mesh_.has_lines_or_points = !mesh_.positions.empty();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(at_line(path_, lines_.number()) + why);
  }

  /// Moves to the next line that is neither empty nor a comment.
  bool next_line() {
    while (lines_.next()) {
      rest_ = trimmed(lines_.line().substr(0, lines_.line().find('#')));
      if (!rest_.empty()) return true;
    }
    return false;
  }

  void read_header() {
    if (!next_line()) throw InputError(path_ + ": no triangles: the file has only comments");
    read_keyword();
    if (rest_.empty() && !next_line()) fail("the numbers of vertices and faces are missing");
    if (rest_ == "BINARY") fail("binary OFF files are not read; save it as text");
    vertices_ = read_count("vertices");
    faces_ = read_count("faces");
    next_word(rest_);  // skips the number of edges, which is often wrong
    if (!trimmed(rest_).empty()) too_many_.note(lines_.number());
  }

  /// Removes the keyword from the line, if there is one: [ST][C][N][4][n]OFF. In many files, such
  /// as those of ModelNet, the first number follows without a blank.
  void read_keyword() {
    std::string_view word = rest_;
    const auto take = [&](std::string_view what) {
      const bool is = word.starts_with(what);
      if (is) word.remove_prefix(what.size());
      return is;
    };
    bool any_dimension = false;
    for (;;) {  // MeshLab writes the letters in another order
      if (take("ST"))
        kind_.has_texcoords = true;
      else if (take("C"))
        kind_.has_colors = true;
      else if (take("N"))
        kind_.has_normals = true;
      else if (take("4"))
        kind_.has_weights = true;
      else if (take("n"))
        any_dimension = true;
      else
        break;
    }
    if (take("OFF") || take("off")) {
      if (any_dimension) fail("nOFF: points of any dimension are not read");
      rest_ = trimmed(word);
      return;
    }
    kind_ = {};
    std::string_view line = rest_;
    if (!parsed<u64>(next_word(line))) refuse_lookalike(path_, "an OFF file", bytes_);
  }

  u64 read_count(const char* what) {
    const auto count = parsed<u64>(next_word(rest_));
    if (!count) fail(std::string("the number of ") + what + " is missing");
    // A line has at least a digit and a line end.
    if (*count > bytes_.size() / 2 + 1 || *count > 2147483647u)
      fail(std::to_string(*count) + " " + what + " don't fit into the file");
    return *count;
  }

  /// Parses the numbers of the next line into `numbers_`.
  void read_numbers(u64 index, u64 count, const char* what) {
    if (!next_line())
      throw InputError(path_ + ": the file is cut off: it has " + std::to_string(index) + " of " +
                       std::to_string(count) + " " + what);
    numbers_.clear();
    bool all = true;
    for (std::string_view word = next_word(rest_); !word.empty(); word = next_word(rest_)) {
      const std::optional<double> number = number_of(word);
      all = all && number;
      numbers_.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    if (!all) no_numbers_.note(lines_.number());
  }

  void read_vertices() {
    mesh_.positions.reserve(static_cast<std::size_t>(vertices_));
    for (u64 i = 0; i < vertices_; ++i) {
      read_numbers(i, vertices_, "vertices");
      const std::size_t needed = kind_.numbers();
      if (numbers_.size() < needed)
        fail("a vertex needs " + std::to_string(needed) + " numbers, not " +
             std::to_string(numbers_.size()));
      const double* at = numbers_.data();
      dvec3 place(at[0], at[1], at[2]);
      at += 3;
      if (kind_.has_weights) place /= *at++;
      mesh_.positions.push_back(place);
      if (kind_.has_normals) {
        mesh_.normals.emplace_back(at[0], at[1], at[2]);
        at += 3;
      }
      const std::size_t more = numbers_.size() - needed;
      if (kind_.has_colors) {
        if (more != 3 && more != 4) fail("a vertex needs a colour of 3 or 4 numbers");
        vertex_colors_.add({at, more});
        at += more;
      } else if (more != 0) {
        too_many_.note(lines_.number());
      }
      if (kind_.has_texcoords)
        mesh_.texcoords.emplace_back(static_cast<float>(at[0]), static_cast<float>(at[1]));
    }
  }

  void read_faces() {
    mesh_.faces.reserve(static_cast<std::size_t>(faces_));
    for (u64 i = 0; i < faces_; ++i) {
      read_numbers(i, faces_, "faces");
      const double corners = numbers_[0];
      if (!(corners >= 0.0 && corners == std::floor(corners)))
        fail("the number of corners is not a number of at least 0");
      if (corners > static_cast<double>(numbers_.size() - 1))
        fail("the face has fewer corners than its first number says");
      const std::size_t count = static_cast<std::size_t>(corners), first = mesh_.corners.size();
      if (first + count > 0xffffffffu) throw InputError(path_ + ": more than 2^32 corners");
      for (std::size_t k = 1; k <= count; ++k) add_corner(numbers_[k]);
      mesh_.faces.push_back({static_cast<u32>(first), static_cast<u32>(count), 0, lines_.number()});
      add_color(std::span(numbers_).subspan(count + 1));
    }
  }

  void add_corner(double number) {
    const i32 index = number >= 0.0 && number <= 2147483647.0 && number == std::floor(number)
                          ? static_cast<i32>(number)
                          : kInvalid;
    mesh_.corners.push_back(
        {index, kind_.has_texcoords ? index : kAbsent, kind_.has_normals ? index : kAbsent});
  }

  /// Records the colour of the last face.
  void add_color(std::span<const double> words) {
    if (words.size() == 1) from_map_.note(lines_.number());
    if (words.size() == 2 || words.size() > 4) too_many_.note(lines_.number());
    if (words.size() != 3 && words.size() != 4) return;
    face_colors_.add(words);
    colored_faces_.push_back(static_cast<u32>(mesh_.faces.size() - 1));
  }

  void use_colors(FaceColors& face_colors) {
    u64 bad = 0;
    mesh_.colors.reserve(vertex_colors_.size());
    for (std::size_t i = 0; i < vertex_colors_.size(); ++i) {
      bool fits = true;
      mesh_.colors.push_back(linear_vertex_color(vertex_colors_.at(i), fits));
      if (!fits) ++bad;
    }
    const bool both = !mesh_.colors.empty() && face_colors_.size() != 0;
    if (!both)
      for (std::size_t i = 0; i < colored_faces_.size(); ++i)
        mesh_.faces[colored_faces_[i]].material = face_colors.material_of(face_colors_.at(i));
    report_colors(path_,
                  {bad, face_colors.out_of_range(), both ? face_colors_.size() : 0,
                   vertex_colors_.see_through() + face_colors_.see_through()},
                  scene_.warnings);
  }

  const std::vector<u8>& bytes_;
  Lines lines_;
  const std::string& path_;
  SceneData& scene_;
  std::string_view rest_;  // rest of the current line
  OffKind kind_;
  u64 vertices_ = 0, faces_ = 0;
  std::vector<double> numbers_;  // numbers of the current line
  PolygonMesh mesh_;
  OffColors vertex_colors_, face_colors_;
  std::vector<u32> colored_faces_;
  LineTally no_numbers_, too_many_, from_map_;
};

}  // namespace

SceneData load_off(const std::string& path, const LoadOptions& options) {
  const std::vector<u8> bytes = read_mesh_file(path);
  require_bytewise(bytes, path);
  SceneData scene = scene_of_file(path);
  FaceColors colors;
  PolygonMesh mesh = OffReader(bytes, path, scene).read(colors);
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  colors.use(path, mesh, pieces, default_material(scene.mesh), scene);
  return scene;
}

}  // namespace ballotcast::detail
