#include <cstdio>

#include "bvh/layouts/children.hpp"
#include "render/explain.hpp"
#include "render/internals.hpp"
#include "support/json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

std::string vector(vec3 v) { return shortest(v.x) + ", " + shortest(v.y) + ", " + shortest(v.z); }

/// A position in the coordinates of the scene's file, as text.
std::string place(vec3 v, dvec3 origin) {
  if (origin == dvec3(0.0)) return vector(v);
  const dvec3 p = dvec3(v) + origin;
  char text[96];
  std::snprintf(text, sizeof text, "%.12g, %.12g, %.12g", p.x, p.y, p.z);
  return text;
}

std::string place_name(const ExplainedChild& c) {
  return (is_node(c.child.reference) ? "node " : "the leaf at ") + std::to_string(c.at);
}

std::string child_in_words(const ExplainedChild& c) {
  return place_name(c) + " at " + shortest(c.child.entry);
}

std::string node_in_words(const ExplainedNode& n) {
  const ExplainedChild &first = n.children[n.first], &second = n.children[1 - n.first];
  if (first.entered && second.entered)
    return "goes to " + child_in_words(first) + "; " + child_in_words(second) + " waits";
  if (first.entered)
    return "goes to " + child_in_words(first) + "; passes by " + place_name(second);
  return "passes by both children";
}

std::string weights_in_words(const EdgeWeights& w) {
  return "edges " + shortest(w.u) + ", " + shortest(w.v) + ", " + shortest(w.w);
}

std::string copies_in_words(u32 copies) {
  if (copies == 0) return "";
  return "; " + counted(copies, "triangle") + " with the same corners and larger ids";
}

/// The indentation of a line; `below` is true for lines about the mesh of an instance.
std::string indent(bool below) { return below ? "    " : ""; }

std::string hit_in_words(const Hit& hit) {
  if (!hit.found()) return "nothing";
  return "triangle " + std::to_string(hit.triangle) + " at t " + shortest(hit.t) + ", u " +
         shortest(hit.u) + ", v " + shortest(hit.v);
}

Json json_of_hit(const Hit& hit) {
  if (!hit.found()) return nullptr;
  char bits[80];
  std::snprintf(bits, sizeof bits, "%08x %08x %08x", bits_of(hit.t), bits_of(hit.u),
                bits_of(hit.v));
  return {{"triangle", hit.triangle},
          {"t", hit.t},
          {"u", hit.u},
          {"v", hit.v},
          {"bits_of_t_u_v", bits}};
}

Json json_of_step(const ExplainedNode& n) {
  Json children = Json::array();
  for (const ExplainedChild& c : n.children)
    children.push_back({{"to", is_node(c.child.reference) ? "node" : "leaf"},
                        {"at", c.at},
                        {"low", json_of(c.child.box.low)},
                        {"high", json_of(c.child.box.high)},
                        {"entry", c.child.entry},
                        {"entered", c.entered}});
  return {{"node", n.node},
          {"limit", n.limit},
          {"children", children},
          {"first", n.first},
          {"below", n.below}};
}

Json json_of_step(const ExplainedInstance& i) {
  return {{"instance", i.instance},
          {"mesh", i.mesh},
          {"origin", json_of(i.ray.origin)},
          {"direction", json_of(i.ray.direction)}};
}

Json json_of_step(const ExplainedLeftOut& out) {
  return {{"instance", out.instance}, {"left_out", out.why}};
}

Json json_of_step(const ExplainedShape& shape) {
  Json crossings = Json::array();
  for (const ExplainedCrossing& c : shape.crossings) {
    crossings.push_back({{"t", c.t},
                         {"u", c.u},
                         {"v", c.v},
                         {"front", c.front},
                         {"taken", c.taken},
                         {"verdict", c.verdict}});
    if (c.cell) {
      crossings.back()["cell"] = {c.cell->x, c.cell->y};
      crossings.back()["triangle_of_cell"] = c.cell->number;
    }
  }
  return {{"instance", shape.instance},
          {"mesh", shape.mesh},
          {"shape", shape.kind},
          {"triangle", shape.id},
          {"crossings", crossings}};
}

Json json_of_step(const ExplainedLeaf& leaf) {
  Json triangles = Json::array();
  for (const ExplainedTriangle& t : leaf.triangles)
    triangles.push_back({{"triangle", t.triangle},
                         {"corners", Json::array({json_of(t.corner[0]), json_of(t.corner[1]),
                                                  json_of(t.corner[2])})},
                         {"edges", Json::array({t.weights.u, t.weights.v, t.weights.w})},
                         {"t", t.t},
                         {"u", t.u},
                         {"v", t.v},
                         {"taken", t.taken},
                         {"copies", t.copies},
                         {"verdict", t.verdict}});
  return {{"leaf", leaf.first},
          {"triangles", triangles},
          {"instances", leaf.instances},
          {"below", leaf.below}};
}

}  // namespace

ExplainReport explained(Renderer& renderer, const Ray& ray, RayKind kind, u32 world,
                        const RayFilter& filter) {
  const PreparedScene& prepared = prepared_of(renderer);
  const SceneData& scene = scene_of(renderer);
  ExplainReport report;
  const HitFilter of_ray{filter, instance_masks_of(renderer)};
  report.explanation = explain(prepared, ray, kind, world, of_ray);
  report.scene = scene.name;
  report.builder = prepared.builder.name();
  report.layout = prepared.encoded.layout->name;
  report.levels = prepared.encoded.shape.depth;
  report.triangles = scene.triangle_count();
  report.instances = scene.instances.size();
  if (report.explanation.hit.found()) {
    report.at = renderer.scene().locate(report.explanation.hit.triangle);
    if (!scene.named_parts.names.empty()) report.part = scene.named_parts.names[report.at.part];
  }
  report.origin = scene.origin;
  report.packed_tree = prepared.tree_is_packed;
  report.device = renderer.device();
  const Span<const Ray> rays(&ray, 1);
  const Span<Hit> hits(&report.device_hit, 1);
  const RayWorlds into{world, nullptr};
  kind == RayKind::any ? renderer.any(rays, hits, {}, into, filter)
                       : renderer.closest(rays, hits, {}, into, filter);
  return report;
}

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// Lines about the ray, the tree, and the numbers of visited nodes and leaves.
Entries head_of(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  const std::string end = e.ray.t_max == unbounded() ? "infinity)" : shortest(e.ray.t_max) + "]";
  Entries head = {{"ray", "from " + place(e.ray.origin, r.origin)},
                  {"", "towards " + vector(e.ray.direction)},
                  {"", "t in (" + shortest(e.ray.t_min) + ", " + end + ", " +
                           (e.kind == RayKind::any ? "any hit" : "closest hit")}};
  if (e.shift != 0.0) {
    head.push_back({"moved", "to " + place(e.cast.origin, r.origin) +
                                 ", because it starts far from the scene"});
    head.push_back(
        {"", "t of nodes and triangles is measured from there; add " + shortest(e.shift)});
  }
  const bool placed = r.instances > 0;
  head.push_back({"tree", r.builder + ", " + r.layout + ", " + counted(r.triangles, "triangle") +
                              (placed ? " of " + counted(r.instances, "instance") : "") + ", " +
                              counted(r.levels, "level") + " of nodes" +
                              (placed ? " above them" : "")});
  head.push_back(
      {"walk", counted(e.nodes(), "node") + ", " + counted(e.leaves(), "leaf visit") +
                   (placed ? ", " + counted(e.instances(), "instance") + " entered" : "") + ", " +
                   counted(e.triangles(), "triangle test")});
  return head;
}

std::string step_in_words(const ExplainedNode& node) {
  return entry(indent(node.below) + "node " + std::to_string(node.node), node_in_words(node), 16);
}

std::string step_in_words(const ExplainedInstance& instance) {
  return entry("  instance " + std::to_string(instance.instance),
               "mesh " + std::to_string(instance.mesh) +
                   ", whose coordinates follow; there the ray is from " +
                   vector(instance.ray.origin) + " towards " + vector(instance.ray.direction),
               20);
}

std::string step_in_words(const ExplainedLeftOut& out) {
  return entry("  instance " + std::to_string(out.instance), std::string("left out: ") + out.why,
               20);
}

std::string step_in_words(const ExplainedShape& shape) {
  std::string out =
      entry("  instance " + std::to_string(shape.instance),
            "mesh " + std::to_string(shape.mesh) + ", a " + shape.kind +
                (shape.crossings.empty() ? ": missed, the ray passes it" : ", which the ray meets"),
            20);
  for (const ExplainedCrossing& c : shape.crossings)
    out += entry(std::string("    ") + (c.front ? "front" : "back"),
                 c.verdict + " (t " + shortest(c.t) +
                     (c.cell ? "; triangle " + std::to_string(c.cell->number) + " of cell " +
                                   std::to_string(c.cell->x) + ", " + std::to_string(c.cell->y)
                             : "") +
                     ")",
                 20);
  return out;
}

std::string step_in_words(const ExplainedLeaf& leaf) {
  std::string out = entry(indent(leaf.below) + "leaf at " + std::to_string(leaf.first),
                          leaf.instances > 0 ? counted(leaf.instances, "instance")
                                             : counted(leaf.triangles.size(), "triangle"),
                          16);
  for (const ExplainedTriangle& t : leaf.triangles)
    out += entry(indent(leaf.below) + "  triangle " + std::to_string(t.triangle),
                 t.verdict + " (t " + shortest(t.t) + "; " + weights_in_words(t.weights) + ")" +
                     copies_in_words(t.copies),
                 20);
  return out;
}

/// Lines about the hit, its surface, and the result of the device.
Entries result_of(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  Entries rows = {{"hit", hit_in_words(e.hit)}};
  if (r.instances > 0 && e.hit.found())
    rows.push_back({"", "triangle " + std::to_string(r.at.triangle) + " of mesh " +
                            std::to_string(r.at.mesh) + ", instance " +
                            std::to_string(r.at.instance)});
  if (e.surface && !r.part.empty())
    rows.push_back({"part", "\"" + r.part + "\", number " + std::to_string(r.at.part)});
  if (e.surface) {
    const ExplainedSurface& s = *e.surface;
    rows.push_back({"place", place(s.surface.position, r.origin)});
    rows.push_back({"material", "\"" + s.material + "\", colour " + vector(s.color)});
    if (s.emission != vec3(0.0f)) rows.push_back({"", "emits " + vector(s.emission)});
    rows.push_back({"normal", vector(s.surface.normal) + ", of the " +
                                  (s.surface.front ? "front" : "back") + "; cosine to the ray " +
                                  shortest(s.facing)});
  }
  const bool any = e.kind == RayKind::any;
  rows.push_back({r.device, !r.same() ? "finds ANOTHER: " + hit_in_words(r.device_hit)
                            : any     ? "finds out the same: whether there is a hit"
                                      : "finds the same, bit for bit"});
  return rows;
}

}  // namespace

std::string explain_text(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  std::string out = entries(head_of(r)) + "\n";
  if (!e.valid)
    out += e.shift != 0.0
               ? "Nothing of the scene lies along the ray between t_min and t_max.\n"
               : "The ray is invalid: its interval of t is empty, or a number is out of range.\n";
  for (const auto& step : e.steps)
    out += std::visit([](const auto& one) { return step_in_words(one); }, step);
  return out + "\n" + entries(result_of(r));
}

std::string explain_json(const ExplainReport& r) {
  const Explanation& e = r.explanation;
  Json steps = Json::array();
  for (const auto& step : e.steps)
    steps.push_back(std::visit([](const auto& s) { return json_of_step(s); }, step));
  Json json = {
      {"scene", r.scene},
      {"scene_origin", json_of(r.origin)},
      {"ray",
       {{"origin", json_of(e.ray.origin)},
        {"direction", json_of(e.ray.direction)},
        {"t_min", e.ray.t_min},
        {"t_max", e.ray.t_max},
        {"kind", e.kind == RayKind::any ? "any" : "closest"}}},
      {"cast",
       {{"origin", json_of(e.cast.origin)},
        {"t_min", e.cast.t_min},
        {"t_max", e.cast.t_max},
        {"shift", e.shift}}},
      {"tree",
       {{"builder", r.builder},
        {"layout", r.layout},
        {"levels", r.levels},
        {"instances", r.instances},
        {"triangles", r.triangles}}},
      {"steps", steps},
      {"hit", json_of_hit(e.hit)},
      {"packed_tree", r.packed_tree},
      {"cache", r.cache.empty() ? Json() : Json(r.cache)},
      {"device", {{"name", r.device}, {"hit", json_of_hit(r.device_hit)}, {"same", r.same()}}}};
  if (r.instances > 0 && e.hit.found())
    json["location"] = {
        {"instance", r.at.instance}, {"mesh", r.at.mesh}, {"triangle", r.at.triangle}};
  if (e.surface && !r.part.empty()) json["part"] = {{"name", r.part}, {"index", r.at.part}};
  if (e.surface) {
    const ExplainedSurface& s = *e.surface;
    json["surface"] = {{"position", json_of(s.surface.position)},
                       {"material", s.material},
                       {"color", json_of(s.color)},
                       {"emission", json_of(s.emission)},
                       {"geometric_normal", json_of(s.surface.geometric_normal)},
                       {"normal", json_of(s.surface.normal)},
                       {"front", s.surface.front},
                       {"facing", s.facing}};
  }
  return text_of(json);
}

}  // namespace ballotcast::detail
