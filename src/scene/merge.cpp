#include "scene/merge.hpp"

#include <iterator>

#include "math/trig.hpp"
#include "scene/fill_mesh.hpp"
#include "scene/smooth_normals.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

/// Detects triangles that become lines or points by rounding when they are placed.
class RoundingWatch {
 public:
  explicit RoundingWatch(const std::vector<PlacedScene>& parts) {
    for (const PlacedScene& part : parts) {
      const SceneData& scene = part.scene;
      const auto count = static_cast<u32>(scene.mesh.triangles.size());
      parts_.push_back({scene.place(), count, flat_triangles(scene.mesh, 0, count)});
    }
  }

  /// Adds warnings to `all`, the merged scene.
  void report(SceneData& all) const {
    u32 first = 0;
    for (const Part& part : parts_) {
      const u64 flat = flat_triangles(all.mesh, first, first + part.triangles);
      if (flat > part.flat)
        all.warnings.push_back(part.name + ": " + kRoundedAway +
                               ", at its placement: " + std::to_string(flat - part.flat));
      first += part.triangles;
    }
  }

 private:
  struct Part {
    std::string name;
    u32 triangles;
    u64 flat;  // how many of them had no area before placement
  };

  static u64 flat_triangles(const Mesh& mesh, u32 begin, u32 end) {
    u64 count = 0;
    for (u32 i = begin; i < end; ++i) count += mesh.has_area(i) ? 0 : 1;
    return count;
  }

  std::vector<Part> parts_;
};

bool moves(const Placement& p) {
  return p.scale != 1.0 || p.rotate_y != 0.0 || p.translate.x != 0.0 || p.translate.y != 0.0 ||
         p.translate.z != 0.0;
}

void require_at_most(u64 most, u64 count, const char* what) {
  if (count > most)
    throw InputError("the meshes have " + std::to_string(count) + " " + what +
                     " together; the limit is " + std::to_string(most));
}

/// A bounding box in double precision.
struct Reach {
  dvec3 low{std::numeric_limits<double>::infinity()};
  dvec3 high{-std::numeric_limits<double>::infinity()};

  void include(dvec3 p) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  bool within(double most) const {
    return low.x >= -most && low.y >= -most && low.z >= -most && high.x <= most && high.y <= most &&
           high.z <= most;
  }
};

/// Applies a placement to the positions and normals of a mesh. `origin` is its SceneData::origin.
class Mover {
 public:
  Mover(const Placement& placement, dvec3 origin)
      : turn_(sincos_degrees(placement.rotate_y)), placement_(placement), origin_(origin) {}

  dvec3 place(vec3 position) const {
    return turned((origin_ + dvec3(position)) * placement_.scale) + dvec3(placement_.translate);
  }
  vec3 direction(vec3 normal) const { return unit_or(vec3(turned(dvec3(normal))), normal); }

 private:
  dvec3 turned(dvec3 v) const {
    return {turn_.cos * v.x + turn_.sin * v.z, v.y, turn_.cos * v.z - turn_.sin * v.x};
  }

  SinCos turn_;
  Placement placement_;
  dvec3 origin_;
};

template <class List>
void append(List& to, List&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void append_mesh(Mesh& to, Mesh&& from, const Mover& mover, bool normals, bool texcoords,
                 bool colors, u32 first_material) {
  const u32 count = static_cast<u32>(from.triangles.size());
  const u32 first_position = static_cast<u32>(to.positions.size());
  if (normals) {
    for (u32 i = 0; i < count; ++i) {
      const vec3 flat = from.corner_normals.empty() ? flat_normal(from, i) : vec3(0.0f);
      for (u32 corner = 0; corner < 3; ++corner)
        to.corner_normals.push_back(mover.direction(
            from.corner_normals.empty() ? flat : from.corner_normals[u64{i} * 3 + corner]));
    }
  }
  if (texcoords) {
    from.corner_texcoords.resize(u64{count} * 3, vec2(0.0f));
    append(to.corner_texcoords, std::move(from.corner_texcoords));
  }
  if (colors) {
    from.vertex_colors.resize(from.positions.size(), vec3(1.0f));
    append(to.vertex_colors, std::move(from.vertex_colors));
  }
  from.material_of.resize(count, 0);
  for (const u32 material : from.material_of) to.material_of.push_back(first_material + material);
  for (const uvec3& t : from.triangles) to.triangles.push_back(t + first_position);
}

void append_surfaces(SceneData& to, SceneData&& from) {
  const u32 first_texture = static_cast<u32>(to.textures.size());
  const auto moved = [&](u32 texture) {
    return texture == kNoTexture ? texture : texture + first_texture;
  };
  for (Material material : from.materials) {
    for (const TextureMember texture : kTexturesOfMaterial)
      material.*texture = moved(material.*texture);
    to.materials.push_back(material);
  }
  append(to.material_names, std::move(from.material_names));
  append(to.textures, std::move(from.textures));
  append(to.texture_names, std::move(from.texture_names));
  append(to.files, std::move(from.files));
  append(to.unread_files, std::move(from.unread_files));
  append(to.missed_files, std::move(from.missed_files));
  append(to.warnings, std::move(from.warnings));
}

}  // namespace

SceneData merged(std::vector<PlacedScene> parts) {
  if (parts.size() == 1 && !moves(parts[0].placement)) return std::move(parts[0].scene);
  u64 triangles = 0, vertices = 0;
  bool normals = false, texcoords = false, colors = false;
  for (const PlacedScene& part : parts) {
    triangles += part.scene.mesh.triangles.size();
    vertices += part.scene.mesh.positions.size();
    normals = normals || !part.scene.mesh.corner_normals.empty();
    texcoords = texcoords || !part.scene.mesh.corner_texcoords.empty();
    colors = colors || !part.scene.mesh.vertex_colors.empty();
  }
  require_at_most(kMostTriangles, triangles, "triangles");
  require_at_most(kNoTriangle, vertices, "vertices");
  const RoundingWatch rounding(parts);
  SceneData scene;
  std::vector<dvec3> places;
  places.reserve(vertices);
  Reach reach;
  for (PlacedScene& part : parts) {
    const Mover mover(part.placement, part.scene.origin);
    const u32 first_material = static_cast<u32>(scene.materials.size());
    const std::size_t first_place = places.size();
    for (const vec3& position : part.scene.mesh.positions) {
      places.push_back(mover.place(position));
      reach.include(places.back());
    }
    if (!places.empty() && !reach.within(kLargestCoordinate))
      throw InputError(part.scene.name +
                       ": its placement moves or scales it to beyond 2^40 (1.1e12)");
    // append_mesh numbers vertices by the size of scene.mesh.positions. The values are computed
    // below, when the origin is known.
    scene.mesh.positions.resize(first_place);
    append_mesh(scene.mesh, std::move(part.scene.mesh), mover, normals, texcoords, colors,
                first_material);
    append_surfaces(scene, std::move(part.scene));
  }
  scene.origin = origin_for(reach.low, reach.high);
  scene.mesh.positions.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    scene.mesh.positions[i] = vec3(places[i] - scene.origin) + 0.0f;
  rounding.report(scene);
  return scene;
}

}  // namespace ballotcast::detail
