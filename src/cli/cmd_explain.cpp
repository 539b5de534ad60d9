// ballotcast explain: why a ray hits what it hits.
#include <charconv>
#include <memory>
#include <optional>

#include "backends/backend.hpp"
#include "cli/command.hpp"
#include "cli/explain_picture.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "scene/mesh_formats.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

struct ExplainRequest {
  SceneOptions scene;
  std::string pixel;        // "x,y", or ""
  std::vector<double> ray;  // 6 to 8 numbers, or empty
  bool any = false;
  u32 width = RenderSettings{}.width;
  u32 height = RenderSettings{}.height;
  RendererOptions where;
  std::string svg;
  bool json = false;
};

void check(const ExplainRequest& r) {
  if (r.pixel.empty() == r.ray.empty()) throw UsageError("explain needs --pixel or --ray");
  if (!r.ray.empty() && (r.ray.size() < 6 || r.ray.size() > 8))
    throw UsageError("--ray needs 6 to 8 numbers: origin, direction, optionally t_min and t_max");
  if (!r.svg.empty()) {
    require_none_of("--svg", r.svg, {r.scene.scene.file});
    require_report_place("--svg", r.svg, r.json ? "--json" : "the text", kDrawing);
  }
}

/// The column and row of --pixel. Throws UsageError if the picture has no such pixel.
std::pair<u32, u32> pixel_of(const ExplainRequest& r) {
  u32 place[2];
  const char* at = r.pixel.data();
  const char* const end = at + r.pixel.size();
  for (u32 i = 0; i < 2; ++i) {
    const auto [stop, error] = std::from_chars(at, end, place[i]);
    if (error != std::errc() || (i == 0 ? stop == end || *stop != ',' : stop != end))
      throw UsageError("--pixel needs a column and a row like 320,180, not '" + r.pixel + "'");
    at = stop + 1;
  }
  if (place[0] >= r.width || place[1] >= r.height)
    throw UsageError("--pixel " + r.pixel + ": the picture has " + std::to_string(r.width) + "x" +
                     std::to_string(r.height) + " pixels (--size)");
  return {place[0], place[1]};
}

/// The ray of --ray, relative to the scene's origin. Throws UsageError if it can't hit anything.
Ray ray_given(const ExplainRequest& r, dvec3 origin) {
  const std::vector<double>& n = r.ray;
  const Ray ray{vec3(dvec3(n[0], n[1], n[2]) - origin),
                n.size() > 6 ? static_cast<float>(n[6]) : 0.0f, vec3(dvec3(n[3], n[4], n[5])),
                n.size() > 7 ? static_cast<float>(n[7]) : unbounded()};
  if (make_setup(ray, 0.0f).valid) return ray;
  throw UsageError(
      "--ray can't hit anything: the largest component of its direction must be in [2^-40, 2^40], "
      "each coordinate of its origin within 2^40 of the scene's origin, and t_min < t_max");
}

Ray ray_through_pixel(const ExplainRequest& r, const Renderer& renderer) {
  const auto [x, y] = pixel_of(r);
  RenderSettings picture;
  picture.width = r.width;
  picture.height = r.height;
  picture.camera = r.scene.camera;
  return renderer.pixel_ray(picture, x, y);
}

int explain_here(const ExplainRequest& r) {
  check(r);
  if (!r.pixel.empty()) pixel_of(r);
  const CachedScene loaded =
      load(r.scene.scene, r.scene.cache, {r.where.builder, r.where.layout},
           [&] { return build_on(choose_device(r.where.device), r.where.max_memory); });
  const std::shared_ptr<const SceneData>& scene = loaded.scene;
  require_none_of("--svg", r.svg, scene->all_files());
  std::optional<Ray> given;
  if (!r.ray.empty()) given = ray_given(r, scene->origin);
  Renderer renderer(scene, r.where);
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  remark_tree(prepared_of(renderer));
  const Ray ray = given ? *given : ray_through_pixel(r, renderer);
  ExplainReport report = explained(renderer, ray, r.any ? RayKind::any : RayKind::closest);
  report.cache = r.scene.cache.folder.empty() ? "" : name_of(loaded.use);
  if (!r.svg.empty()) write_text_atomically(r.svg, explain_svg(report));
  print(r.json ? explain_json(report) : explain_text(report));
  return report.same() ? 0 : 1;
}

}  // namespace

Command explain_command() {
  const auto r = std::make_shared<ExplainRequest>();
  r->where.strict_devices =
      true;  // the ray is compared with what the device gives, and nobody else
  const std::string what = "What", where = "Where", results = "Results";
  std::vector<Option> table = {
      {what, "SCENE", "FILE", "",
       "an " + kinds_of_scenes("or") + " scene file; without one, the built-in scene",
       set_text(r->scene.scene.file)},
      {what, "--pixel", "X,Y", "",
       "the ray through the centre of this pixel; 0,0 is at the top left", set_text(r->pixel)},
      {what, "--size", "WxH", std::to_string(r->width) + "x" + std::to_string(r->height),
       "size of the picture that contains the pixel", set_size(r->width, r->height)},
      {what, "--ray", "LIST", "",
       "a ray instead of a pixel: origin x,y,z, direction x,y,z, optionally t_min and t_max "
       "(default: 0 and no limit)",
       set_numbers(r->ray, -1e300, 1e300)},
      {what, "--any", "", "", "ask for any hit, not for the closest", set_flag(r->any)}};
  for (Option& row : scene_options(r->scene)) table.push_back(std::move(row));
  for (Option& row : cache_options(r->scene.cache, what)) table.push_back(std::move(row));
  const std::vector<Option> rest = {
      {where, "--device", "NAME", r->where.device,
       "device that casts the same ray, for comparison: " + devices_in_words(),
       set_device(r->where.device)},
      {where, "--layout", "NAME", r->where.layout,
       "the tree in memory: " + joined(names_of(layouts(), "auto")),
       set_name(r->where.layout, "layout", names_of(layouts(), "auto"))},
      {where, "--build", "NAME", r->where.builder, builders_in_words(),
       set_builder(r->where.builder)},
      {results, "--json", "", "", "print everything as JSON", set_flag(r->json)},
      {results, "--svg", "FILE", "", "also draw the ray's path through the boxes",
       set_output(r->svg)}};
  table.insert(table.end(), rest.begin(), rest.end());
  return {"explain", "says why a ray hit what it hit: nodes, triangles, the decision at each",
          table, [r] { return explain_here(*r); }};
}

}  // namespace ballotcast::detail
