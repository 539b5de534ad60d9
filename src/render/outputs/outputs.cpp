#include "render/outputs/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/tables.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "kernels/trace.hpp"
#include "render/internals.hpp"
#include "render/renderer_state.hpp"
#include "render/settings.hpp"
#include "support/float_environment.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

/// Sets the properties that the material, the textures and the vertices have at a hit.
void add_looks(const SceneView& scene, TrianglePlace place, const Hit& hit, SurfacePoint& out) {
  const Material& material = material_of(scene, place);
  const vec2 uv = texcoord_at(scene, place, hit.u, hit.v);
  out.texcoord[0] = uv.x;
  out.texcoord[1] = uv.y;
  out.vertex_color = vertex_color_at(scene, place, hit.u, hit.v);
  out.texture_color = texture_color(scene, material.color_texture, uv);
  out.color = color_at(scene, place, hit.u, hit.v);
  out.emission = emission_at(scene, place, hit.u, hit.v);
  out.roughness = material.roughness * texture_numbers(scene, material.roughness_texture, uv).y;
  out.metallic = material.metallic * texture_numbers(scene, material.metallic_texture, uv).z;
  out.opacity = opacity_at(scene, place, hit.u, hit.v);
  out.material = static_cast<u32>(&material - scene.materials);
}

/// The surface at a hit of the scene. `origin` is Scene::origin().
SurfacePoint surface_point(const SceneView& scene, dvec3 origin, const Hit& hit) {
  SurfacePoint out{};
  out.material = kNoTriangle;
  if (!hit.found()) {
    out.position = Vec3d(dvec3(std::numeric_limits<double>::quiet_NaN()));
    return out;
  }
  const TrianglePlace place = place_of(scene, hit.triangle);
  const Corners p = corners_of(scene, place, hit.u, hit.v);
  const dvec3 a(p.a), b(p.b), c(p.c);
  const double u = double{hit.u}, v = double{hit.v};
  out.position = Vec3d(origin + a * (1.0 - u - v) + b * u + c * v);
  const dvec3 across = cross(b - a, c - a);
  const double size = sqrt(dot(across, across));
  const vec3 geometric(size > 0.0 ? across / size : across);
  vec3 normal = geometric;
  if (scene.mesh.corner_normals && !shape_at(scene, place)) {
    normal = mean_normal(scene, hit, place.triangle);
    if (scene.instances.count != 0u)
      normal = transformed_normal(scene.instances.list[place.instance].to_scene, normal);
  }
  out.geometric_normal = geometric;
  out.normal = unit_or(normal, geometric);
  add_looks(scene, place, hit, out);
  return out;
}

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr u64 kMostBytes = u64{16} << 30;
constexpr u32 kPixelsAtOnce = 1u << 20;

void write(vec3 v, float* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

/// The number of leaves that a cast of the ray visits, counted as in the shading `visits`.
i32 visits_of(const PixelHit& pixel) {
  const SceneArrays& arrays = pixel.scene.arrays;
  u32 visits = 0;
  dispatch_row(Layouts{}, pixel.scene.encoded.layout, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    with_view_in<Layout>(arrays, {{}, pixel.filter}, [&](const auto& view) {
      Hit ignored;
      visits = trace_whole(view, 0, pixel.ray, RayKind::closest, ignored);
    });
  });
  return static_cast<i32>(visits);
}

/// The outputs about the visible point and its surface.
std::vector<OutputInfo> surface_outputs() {
  using Pixel = const PixelHit&;
  return {
      {"depth",
       "distance along the line of sight, in the scene's units; inf where nothing is",
       {"Z"},
       kInfinite,
       [](Pixel p, float* to) { *to = p.hit.t; },
       nullptr},
      {"distance",
       "distance from the eye, along the ray; inf where nothing is",
       {"Z"},
       kInfinite,
       [](Pixel p, float* to) { *to = distance_of(p.ray, p.hit); },
       nullptr},
      {"position",
       "the point that is seen, in the scene's units; NaN where nothing is",
       {"X", "Y", "Z"},
       kNaN,
       [](Pixel p, float* to) {
         write(vec3(p.scene.scene->origin + dvec3(p.surface.position)), to);
       },
       nullptr},
      {"normal",
       "unit normal on the side of the eye, interpolated if the mesh has normals; 0",
       {"X", "Y", "Z"},
       0.0f,
       [](Pixel p, float* to) { write(p.surface.normal, to); },
       nullptr},
      {"geometric-normal",
       "unit normal of the triangle, on the side of the eye; 0",
       {"X", "Y", "Z"},
       0.0f,
       [](Pixel p, float* to) { write(p.surface.geometric_normal, to); },
       nullptr},
      {"uv",
       "texture coordinates, (0, 0) is the lower left of a texture; 0",
       {"U", "V"},
       0.0f,
       [](Pixel p, float* to) {
         const vec2 uv = texcoord_at(p.scene.view, p.place, p.hit.u, p.hit.v);
         to[0] = uv.x;
         to[1] = uv.y;
       },
       nullptr},
      {"albedo",
       "the surface's own colour, linear, without light; 0",
       {"R", "G", "B"},
       0.0f,
       [](Pixel p, float* to) { write(color_at(p.scene.view, p.place, p.hit.u, p.hit.v), to); },
       nullptr},
  };
}

/// The outputs that are integers: the parts of the scene that are visible, and the number of
/// visits.
std::vector<OutputInfo> integer_outputs() {
  using Pixel = const PixelHit&;
  return {
      {"material",
       "index of the material; -1",
       {"id"},
       -1.0f,
       nullptr,
       [](Pixel p) {
         return static_cast<i32>(&material_of(p.scene.view, p.place) - p.scene.view.materials);
       }},
      {"triangle",
       "index of the triangle in its mesh; -1",
       {"id"},
       -1.0f,
       nullptr,
       [](Pixel p) {
         const auto& instances = p.scene.scene->instances;
         const u32 first = instances.empty() ? 0 : instances[p.place.instance].first_triangle;
         return static_cast<i32>(p.place.triangle - first);
       }},
      {"mesh",
       "index of the mesh, in scenes of instances; -1",
       {"id"},
       -1.0f,
       nullptr,
       [](Pixel p) {
         const auto& instances = p.scene.scene->instances;
         return instances.empty() ? 0 : static_cast<i32>(instances[p.place.instance].mesh);
       }},
      {"instance",
       "index of the instance; -1",
       {"id"},
       -1.0f,
       nullptr,
       [](Pixel p) { return static_cast<i32>(p.place.instance); }},
      {"part",
       "index of the part, whose names `ballotcast info --json` lists; -1",
       {"id"},
       -1.0f,
       nullptr,
       [](Pixel p) {
         return static_cast<i32>(
             p.scene.scene->named_parts.part_of(p.place.triangle, p.place.instance));
       }},
      {"visits",
       "leaves of the tree that the ray visited",
       {"count"},
       0.0f,
       nullptr,
       visits_of,
       true},
  };
}

/// The outputs that are drawn with the picture.
std::vector<OutputInfo> drawn_outputs() {
  return {
      {kObjectMatte, "Cryptomatte of the parts' names, in .exr only", {}, 0.0f, nullptr, nullptr},
      {kMaterialMatte,
       "Cryptomatte of the materials' names, in .exr only",
       {},
       0.0f,
       nullptr,
       nullptr},
      {kAlphaOutput,
       "the share of the pixel's samples that show a surface",
       {"A"},
       0.0f,
       nullptr,
       nullptr},
  };
}

std::vector<OutputInfo> table_of_outputs() {
  std::vector<OutputInfo> table = {
      {kColourOutput,
       "the picture itself; with a transparent background it has alpha",
       {"R", "G", "B"},
       0.0f,
       nullptr,
       nullptr}};
  for (const auto& rows : {surface_outputs(), integer_outputs(), drawn_outputs()})
    table.insert(table.end(), rows.begin(), rows.end());
  return table;
}

/// Stores one output of a pixel. `at` is the index of the pixel in `out`.
void fill(const OutputInfo& row, const PixelHit& pixel, u64 at, PixelNumbers& out) {
  const bool asks = pixel.hit.found() || row.everywhere;
  if (row.integer) {
    out.integers[at] = asks ? row.integer(pixel) : static_cast<i32>(row.background);
    return;
  }
  float* const to = out.floats.data() + at * out.channels.size();
  if (asks)
    row.floats(pixel, to);
  else
    std::fill_n(to, out.channels.size(), row.background);
}

PixelNumbers empty_output(const OutputInfo& row, u32 width, u32 height) {
  PixelNumbers out{std::string(row.name), row.channels, width, height, {}, {}};
  const u64 pixels = u64{width} * height;
  if (row.integer)
    out.integers.resize(pixels);
  else
    out.floats.resize(pixels * row.channels.size());
  return out;
}

/// The rays through the centres of pixels [first, first + count).
std::vector<Ray> centre_rays(const CameraView& view, u32 width, u64 first, u32 count) {
  std::vector<Ray> rays(count);
  for_each_range<u32>(count, 1 << 14, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      const u64 pixel = first + i;
      rays[i] = ray_through(view, static_cast<float>(pixel % width) + 0.5f,
                            static_cast<float>(pixel / width) + 0.5f);
    }
  });
  return rays;
}

}  // namespace

std::string OutputInfo::key() const {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

const std::vector<OutputInfo>& output_table() {
  static const std::vector<OutputInfo> all = table_of_outputs();
  return all;
}

const OutputInfo& output_called(std::string_view name) {
  if (name == "color") name = kColourOutput;
  for (const OutputInfo& row : output_table())
    if (row.name == name || row.key() == name) return row;
  throw_unknown("output", name, names_of(output_table()));
}

void require_moderate_outputs(u32 width, u32 height, const std::vector<const OutputInfo*>& rows) {
  u64 bytes = 0;
  for (const OutputInfo* row : rows)
    bytes += u64{width} * height * sizeof(float) * row->channels.size();
  if (bytes > kMostBytes)
    throw UsageError("the outputs of " + std::to_string(width) + "x" + std::to_string(height) +
                     " pixels would take " + bytes_in_words(bytes) + "; the limit is " +
                     bytes_in_words(kMostBytes));
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::vector<Choice> outputs() { return choices_of(output_table()); }

std::vector<PixelNumbers> Renderer::outputs(const RenderSettings& settings,
                                            Span<const std::string> names) {
  const DefaultFloats floats;
  std::vector<const OutputInfo*> rows;
  for (const std::string& name : names) {
    rows.push_back(&output_called(name));
    if (rows.back()->is_drawn())
      throw UsageError("the output '" + name + "' is drawn with the picture: call render()");
  }
  const u32 width = settings.width, height = settings.height;
  require_moderate_outputs(width, height, rows);
  const RenderSettings whole = resolved(settings);
  const PreparedScene& scene = *state_->prepared;
  const CameraView view = make_view(complete(whole.camera), scene.scene->origin, width, height);
  std::vector<PixelNumbers> out;
  for (const OutputInfo* row : rows) out.push_back(empty_output(*row, width, height));
  const u64 pixels = rows.empty() ? 0 : u64{width} * height;
  std::vector<Hit> hits;
  HitFilter filter{{}, state_->masks_of_instances()};
  filter.rays.sides = whole.sides;
  for (u64 first = 0; first < pixels; first += kPixelsAtOnce) {
    const u32 count = static_cast<u32>(std::min<u64>(kPixelsAtOnce, pixels - first));
    const std::vector<Ray> rays = centre_rays(view, width, first, count);
    hits.resize(count);
    closest(rays, hits, whole.cast, {}, filter.rays);
    for_each_range<u32>(count, 1 << 10, [&](u32 begin, u32 end) {
      for (u32 i = begin; i < end; ++i) {
        PixelHit pixel{scene, rays[i], hits[i], filter, {}, {}};
        if (hits[i].found()) {
          pixel.place = place_of(scene.view, hits[i].triangle);
          pixel.surface = surface_at(scene.view, rays[i], hits[i], pixel.place);
        }
        for (std::size_t k = 0; k < rows.size(); ++k) fill(*rows[k], pixel, first + i, out[k]);
      }
    });
  }
  return out;
}

void Renderer::surfaces(Span<const Hit> hits, Span<SurfacePoint> points) const {
  if (hits.size() != points.size())
    throw UsageError("surfaces: " + std::to_string(hits.size()) + " hits, but room for " +
                     std::to_string(points.size()) + " points");
  const DefaultFloats floats;
  const PreparedScene& scene = *state_->prepared;
  const u64 triangles = scene.scene->triangle_count();
  for (const Hit& hit : hits)
    if (hit.found() && hit.triangle >= triangles)
      throw UsageError("surfaces: no triangle has the id " + std::to_string(hit.triangle));
  for_each_range<std::size_t>(hits.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      points[i] = surface_point(scene.view, scene.scene->origin, hits[i]);
  });
}

}  // namespace ballotcast
