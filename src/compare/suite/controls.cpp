#include "compare/suite/controls.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

/// Changes one sample of the picture by one step.
void move_one_sample(Drawing& drawing) {
  std::vector<u16>& samples = drawing.image.samples;
  u16& sample = samples[samples.size() / 2];
  sample = sample == 0 ? 1 : static_cast<u16>(sample - 1);
}

/// Adds an alpha channel in which one pixel is not opaque.
void touch_alpha(Drawing& drawing) {
  SampledImage& image = drawing.image;
  const u32 colors = image.channels <= 2 ? 1 : 3;
  const u16 opaque = image.depth > 8 ? 0xffff : 0xff;
  SampledImage out{image.width, image.height, colors + 1, image.depth, {}};
  const std::size_t pixels = image.samples.size() / image.channels;
  for (std::size_t i = 0; i < pixels; ++i) {
    for (u32 c = 0; c < colors; ++c) out.samples.push_back(image.samples[i * image.channels + c]);
    out.samples.push_back(image.channels > colors ? image.samples[i * image.channels + colors]
                                                  : opaque);
  }
  u16& alpha = out.samples[(pixels / 2) * out.channels + colors];
  alpha = alpha == 0 ? 1 : static_cast<u16>(alpha - 1);
  image = std::move(out);
}

/// The middle one of the hits that found a triangle; null if there is none.
Hit* some_hit(Drawing& drawing) {
  std::vector<Hit*> found;
  for (Hit& hit : drawing.hits)
    if (hit.found()) found.push_back(&hit);
  return found.empty() ? nullptr : found[found.size() / 2];
}

// For each control, the check that must notice it. It is not enough if another check fails.

bool differs_in_one_pixel(const CaseJudgement& judgement) {
  return judgement.comparison && judgement.comparison->different == 1;
}

bool differs_in_alpha(const CaseJudgement& judgement) {
  return judgement.comparison && judgement.comparison->alpha_different == 1 &&
         judgement.comparison->color_different == 0;
}

/// True if a check whose name begins with this letter fails.
template <char first>
bool fails_check(const CaseJudgement& judgement) {
  return std::any_of(judgement.checks.begin(), judgement.checks.end(), [](const SuiteCheck& check) {
    return check.name.front() == first && !check.same();
  });
}
constexpr auto kHits = fails_check<'h'>, kCounter = fails_check<'c'>;

ControlResult judged(const char* name, const SuiteCase& c, const Setup& setup,
                     const Approved& approved, const Drawing& drawing,
                     bool (*notices)(const CaseJudgement& judgement)) {
  const CaseJudgement judgement = judge(c, setup, approved, drawing);
  return {name, info_of(judgement.verdict).outcome == CaseOutcome::failed && notices(judgement),
          judgement.why};
}

/// A copy of the scene in which one triangle is moved a little.
std::shared_ptr<const SceneData> with_triangle_moved(const SceneData& scene, u32 triangle) {
  auto moved = std::make_shared<SceneData>(scene);
  Mesh& mesh = moved->mesh;
  // The triangle gets corners of its own, so that its neighbours do not move.
  const uvec3 corners = mesh.triangles[triangle];
  const vec3 a = mesh.positions[corners.x], b = mesh.positions[corners.y];
  const auto first = static_cast<u32>(mesh.positions.size());
  for (const u32 corner : {corners.x, corners.y, corners.z})
    mesh.positions.push_back(mesh.positions[corner] + (b - a) * 0.25f);
  mesh.triangles[triangle] = {first, first + 1, first + 2};
  return moved;
}

}  // namespace

std::vector<ControlResult> run_controls(const SuiteCase& c, const Setup& setup,
                                        const Approved& approved, CaseRenderer& renderer_of_cases) {
  SuiteCase strict = c;
  strict.tolerance.reset();
  Drawing good = renderer_of_cases.draw(c, setup);
  if (c.tolerance) good.image = approved.golden;  // the picture as it would be without a tolerance
  std::vector<ControlResult> results;
  const CaseJudgement unspoilt = judge(strict, setup, approved, good);
  results.push_back({"drawn again, the same", unspoilt.verdict == CaseVerdict::same, unspoilt.why});
  const auto add = [&](const char* name, const Drawing& bad, auto notices) {
    results.push_back(judged(name, strict, setup, approved, bad, notices));
  };

  Drawing moved = good, see_through = good;
  move_one_sample(moved);
  touch_alpha(see_through);
  add("one pixel off by one", moved, differs_in_one_pixel);
  add("alpha only", see_through, differs_in_alpha);
  if (c.is_command()) return results;

  Drawing dropped = good, counted = good;
  if (Hit* const hit = some_hit(dropped)) {
    const u32 triangle = hit->triangle;
    *hit = Hit{unbounded(), kNoTriangle, 0.0f, 0.0f};
    add("one ray dropped", dropped, kHits);
    const auto scene = with_triangle_moved(*renderer_of_cases.scene_of(c), triangle);
    SuiteCase held = c;  // a camera chosen from the scene would move as well
    held.picture.camera = renderer_of_cases.camera_of(c, setup);
    add("one triangle moved", renderer_of_cases.draw(held, setup, scene), kHits);
  } else {
    for (const char* name : {"one ray dropped", "one triangle moved"})
      results.push_back({name, false, "no ray of this case hits anything", false});
  }
  ++counted.counts.counter;
  if (good.is_shared)
    results.push_back({"one counter off by one", false,
                       "several machines share the work, so counters are not compared", false});
  else
    add("one counter off by one", counted, kCounter);
  return results;
}

}  // namespace ballotcast::detail
