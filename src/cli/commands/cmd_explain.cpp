// ballotcast explain: shows how a ray traverses the tree, as text, JSON or a drawing.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "ballotcast/error.hpp"
#include "bvh/layouts/children.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "math/vec.hpp"
#include "render/explain.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kWidth = 960.0, kHeight = 540.0, kMargin = 30.0;

struct Point {
  double x, y;
};

/// A view from the side, in which the ray runs to the right and the y axis points up. If the ray is
/// almost parallel to the y axis, the x axis points up instead.
class View {
 public:
  explicit View(const Ray& ray)
      : origin_(vec3(ray.origin)), right_(glm::normalize(dvec3(vec3(ray.direction)))) {
    const dvec3 up = std::abs(right_.y) < 0.99 ? dvec3(0, 1, 0) : dvec3(1, 0, 0);
    up_ = glm::normalize(up - right_ * glm::dot(up, right_));
  }

  Point project(dvec3 p) const {
    const dvec3 d = p - origin_;
    return {glm::dot(d, right_), -glm::dot(d, up_)};
  }

 private:
  dvec3 origin_, right_, up_;
};

/// The outline of a box: the convex hull of its projected vertices, by the monotone chain
/// algorithm.
std::vector<Point> outline(const View& view, const Aabb& box, const Transform& to_scene) {
  std::vector<Point> points;
  for (u32 i = 0; i < 8; ++i) {
    const vec3 corner = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                         i & 4 ? box.high.z : box.low.z};
    points.push_back(view.project(dvec3(transformed_point(to_scene, corner))));
  }
  std::sort(points.begin(), points.end(),
            [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> hull;
  const auto add = [&](Point p, std::size_t least) {
    const auto turns_left = [&] {
      const Point a = hull[hull.size() - 2], b = hull.back();
      return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0.0;
    };
    while (hull.size() > least && !turns_left()) hull.pop_back();
    hull.push_back(p);
  };
  for (const Point p : points) add(p, 1);
  const std::size_t lower = hull.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], lower);
  return hull;
}

/// Collects the shapes of the drawing, in the view's units, and their bounding box.
class SvgDrawing {
 public:
  void polygon(std::vector<Point> points, const char* style) {
    for (const Point p : points) cover(p);
    shapes_.push_back({std::move(points), style});
  }

  /// The text of all shapes, scaled so that they fit into the picture.
  std::string shapes() const {
    std::string out;
    for (const Shape& shape : shapes_) {
      out += "<polygon class=\"" + std::string(shape.style) + "\" points=\"";
      for (const Point p : shape.points) out += text(fitted(p)) + " ";
      out += "\"/>\n";
    }
    return out;
  }

  void cover(Point p) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }

  Point fitted(Point p) const {
    const double scale = std::min((kWidth - 2 * kMargin) / std::max(high_.x - low_.x, 1e-30),
                                  (kHeight - 2 * kMargin) / std::max(high_.y - low_.y, 1e-30));
    return {kWidth / 2 + (p.x - (low_.x + high_.x) / 2) * scale,
            kHeight / 2 + (p.y - (low_.y + high_.y) / 2) * scale};
  }

  static std::string text(Point p) {
    char out[64];
    std::snprintf(out, sizeof out, "%.2f,%.2f", p.x, p.y);
    return out;
  }

 private:
  struct Shape {
    std::vector<Point> points;
    const char* style;
  };
  std::vector<Shape> shapes_;
  Point low_{0, 0}, high_{0, 0};
};

std::string attribute(const char* names, Point p) {
  char out[96];
  std::snprintf(out, sizeof out, names, p.x, p.y);
  return out;
}

constexpr const char* kHead = R"(<style>
svg{background:#fff;font:14px sans-serif}
polygon{fill:none;stroke-linejoin:round}
.box{stroke:#1f6fc4;stroke-opacity:.35}
.leaf{stroke:#12709a;stroke-width:1.5;fill:#12709a;fill-opacity:.06}
.missed{stroke:#b3540e;fill:#b3540e;fill-opacity:.15}
.taken{stroke:#2a7f3a;fill:#2a7f3a;fill-opacity:.45;stroke-width:1.5}
line{stroke:#111;stroke-width:1.5}
circle{fill:#111}
</style>
)";

/// A drawing of the ray from the side, with the boxes that it entered and the triangles that were
/// tested. The ray runs from left to right.
std::string explain_svg(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 540\">\n";
  out += "<title>A ray through the boxes that it entered, seen from the side</title>\n";
  out += kHead;
  if (!e.valid) return out + "<text x=\"30\" y=\"40\">The ray is invalid.</text>\n</svg>\n";
  const View view(e.cast);
  const double length = glm::length(dvec3(vec3(e.cast.direction)));
  SvgDrawing drawing;
  drawing.cover({0, 0});
  // Calls visit(step, matrix) for each step of the traversal. Steps inside an instance are in the
  // coordinates of its mesh.
  const auto each_step = [&](auto visit) {
    const Transform none{};
    const Transform* inside = &none;
    for (const auto& step : e.steps) {
      if (const auto* instance = std::get_if<ExplainedInstance>(&step))
        inside = &instance->to_scene;
      else if (const auto* node = std::get_if<ExplainedNode>(&step))
        visit(*node, node->below ? *inside : none);
      else if (const auto* leaf = std::get_if<ExplainedLeaf>(&step))
        visit(*leaf, leaf->below ? *inside : none);
    }
  };
  each_step([&](const auto& step, const Transform& to_scene) {
    if constexpr (std::is_same_v<std::decay_t<decltype(step)>, ExplainedNode>)
      for (const ExplainedChild& c : step.children)
        if (c.entered)
          drawing.polygon(outline(view, c.child.box, to_scene),
                          is_node(c.child.reference) ? "box" : "leaf");
  });
  for (const bool taken : {false, true})  // taken triangles are drawn last, on top of the others
    each_step([&](const auto& step, const Transform& to_scene) {
      if constexpr (std::is_same_v<std::decay_t<decltype(step)>, ExplainedLeaf>) {
        const auto at = [&](vec3 corner) {
          return view.project(dvec3(transformed_point(to_scene, corner)));
        };
        for (const ExplainedTriangle& t : step.triangles)
          if (t.taken == taken)
            drawing.polygon({at(t.corner[0]), at(t.corner[1]), at(t.corner[2])},
                            taken ? "taken" : "missed");
      }
    });
  const Point from = drawing.fitted({0, 0});
  const Point to = e.hit.found() ? drawing.fitted({double{e.cast_t} * length, 0})
                                 : Point{kWidth - kMargin / 2, from.y};
  out += drawing.shapes();
  out += "<line " + attribute("x1=\"%.2f\" y1=\"%.2f\" ", from) +
         attribute("x2=\"%.2f\" y2=\"%.2f\"/>\n", to);
  out += attribute("<circle r=\"4\" cx=\"%.2f\" cy=\"%.2f\"/>\n", from);
  if (e.hit.found()) out += attribute("<circle r=\"4\" cx=\"%.2f\" cy=\"%.2f\"/>\n", to);
  out +=
      "<text x=\"30\" y=\"24\">boxes entered (blue), triangles tested (orange), taken (green), "
      "the ray from left to right</text>\n</svg>\n";
  return out;
}

struct ExplainRequest {
  SceneOptions scene;
  std::string pixel;        // value of --pixel, "x,y", or ""
  std::vector<double> ray;  // value of --ray, 6 to 8 numbers, or empty
  bool any = false;
  Sides sides = Sides::both;
  u32 width = RenderSettings{}.width;
  u32 height = RenderSettings{}.height;
  CastSettings casting;
  std::string svg;
  bool json = false;
  bool queue = false;
};

void check(const ExplainRequest& r) {
  if (r.queue) {
    if (!r.ray.empty() || !r.svg.empty() || r.sides != Sides::both || (r.json && !r.pixel.empty()))
      throw UsageError(
          "--queue is about the rays of a picture; it can't be combined with --ray, --svg and "
          "--sides, nor --json with --pixel");
    return;
  }
  if (texts_of(cast_settings(), CastSettings{{}, r.casting.cast}) !=
      texts_of(cast_settings(), CastSettings{}))
    throw UsageError("--atomics, --order and --block-size are those of --queue");
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

RenderSettings picture_of(const ExplainRequest& r) {
  RenderSettings picture;
  picture.width = r.width;
  picture.height = r.height;
  picture.camera = r.scene.camera_for(r.width, r.height);
  return picture;
}

Ray ray_through_pixel(const ExplainRequest& r, const Renderer& renderer) {
  const auto [x, y] = pixel_of(r);
  return renderer.pixel_ray(picture_of(r), x, y);
}

/// Prints the queues of the picture's rays, or the positions of one pixel's ray in them.
void print_queues(const ExplainRequest& r, const Renderer& renderer) {
  const Queues queues = queues_of_picture(renderer, picture_of(r),
                                          r.any ? RayKind::any : RayKind::closest, r.casting.cast);
  if (r.json) return print(queues_json(queues, r.casting.cast));
  if (r.pixel.empty()) return print(queues_text(queues));
  const auto [x, y] = pixel_of(r);
  print(place_in_queues_text(queues, y * r.width + x));
}

int explain_here(const ExplainRequest& r) {
  r.scene.require_time();
  check(r);
  if (!r.pixel.empty()) pixel_of(r);
  const CachedScene loaded = load(
      r.scene.scene, r.scene.cache, {r.casting.renderer.builder, r.casting.renderer.layout}, [&] {
        return build_on(choose_device(r.casting.renderer.device), r.casting.renderer.max_memory);
      });
  const std::shared_ptr<const SceneData>& scene = loaded.scene;
  require_none_of("--svg", r.svg, scene->all_files());
  std::optional<Ray> typed_ray;
  if (!r.ray.empty()) typed_ray = ray_given(r, scene->origin);
  Renderer renderer(scene, r.casting.renderer);
  if (!renderer.note().empty()) remark("note: " + renderer.note());
  remark_tree(prepared_of(renderer));
  if (r.queue) {
    print_queues(r, renderer);
    return 0;
  }
  const Ray ray = typed_ray ? *typed_ray : ray_through_pixel(r, renderer);
  ExplainReport report =
      explained(renderer, ray, r.any ? RayKind::any : RayKind::closest, 0, {r.sides});
  report.cache = r.scene.cache.folder.empty() ? "" : name_of(loaded.use);
  if (!r.svg.empty()) write_text_atomically(r.svg, explain_svg(report));
  print(r.json ? explain_json(report) : explain_text(report));
  return report.same() ? 0 : 1;
}

}  // namespace

Command explain_command() {
  const auto r = std::make_shared<ExplainRequest>();
  // The ray's explanation is compared with the hit that the device has found
  r->casting.renderer.strict_devices = true;
  const std::string what = "What", where = "Where", queue = "Queues of a cast", results = "Results";
  std::vector<Option> table = {
      scene_file_option(r->scene, what),
      {what, "--pixel", "X,Y", "",
       "the ray through the centre of this pixel; 0,0 is at the top left", set_text(r->pixel)},
      {what, "--size", "WxH", std::to_string(r->width) + "x" + std::to_string(r->height),
       "size of the picture that contains the pixel", set_size(r->width, r->height)},
      {what, "--ray", "LIST", "",
       "a ray instead of a pixel: origin x,y,z, direction x,y,z, optionally t_min and t_max "
       "(default: 0 and no limit)",
       set_numbers(r->ray, -1e300, 1e300)},
      {what, "--any", "", "", "ask for any hit, not for the closest", set_flag(r->any)},
      {what, "--sides", "both|front|back", name_of(r->sides),
       "which sides of surfaces the ray hits; the front is where corners run counter-clockwise",
       [r](const std::string&, const std::string& text) { r->sides = sides_called(text); }}};
  for (Option& row : picture_scene_options(r->scene)) table.push_back(std::move(row));
  for (Option& row : moment_options(r->scene, what)) table.push_back(std::move(row));
  for (Option& row : cache_options(r->scene.cache, what)) table.push_back(std::move(row));
  const std::vector<Option> rest = {
      cast_option(where, "device", r->casting, "device that casts the same ray, for comparison: "),
      cast_option(where, "layout", r->casting),
      cast_option(where, "builder", r->casting),
      {queue, "--queue", "", "",
       "instead: cast all rays of the picture with pipeline queue, and print which are in the "
       "queue "
       "after each pass; with --pixel, the place of one of them",
       set_flag(r->queue)},
      cast_option(queue, "order", r->casting),
      cast_option(queue, "atomics", r->casting),
      cast_option(queue, "block_size", r->casting),
      {results, "--json", "", "", "print everything as JSON", set_flag(r->json)},
      {results, "--svg", "FILE", "", "also draw the ray's path through the boxes",
       set_output(r->svg)}};
  table.insert(table.end(), rest.begin(), rest.end());
  return {"explain", "says why a ray hit what it hit: nodes, triangles, the decision at each",
          table, [r] { return explain_here(*r); }};
}

}  // namespace ballotcast::detail
