#include "cli/explain_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "bvh/layouts/reference.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kWidth = 960.0, kHeight = 540.0, kMargin = 30.0;

struct Point {
  double x, y;
};

/// A view from the side: the ray runs to the right, and the y axis points up. For a ray almost
/// along the y axis, the x axis points up.
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

/// The outline of a box: the convex hull of its projected corners, by the monotone chain algorithm.
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

/// The shapes of the picture, in the view's units, with their bounding box.
class Drawing {
 public:
  void polygon(std::vector<Point> points, const char* style) {
    for (const Point p : points) cover(p);
    shapes_.push_back({std::move(points), style});
  }

  /// The shapes, scaled to fit into the picture.
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

}  // namespace

std::string explain_svg(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 540\">\n";
  out += "<title>A ray through the boxes that it entered, seen from the side</title>\n";
  out += kHead;
  if (!e.valid) return out + "<text x=\"30\" y=\"40\">The ray is invalid.</text>\n</svg>\n";
  const View view(e.cast);
  const double length = glm::length(dvec3(vec3(e.cast.direction)));
  Drawing drawing;
  drawing.cover({0, 0});
  // What lies in an instance is in the coordinates of its mesh.
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

}  // namespace ballotcast::detail
