#include "compare/suite/controls.hpp"

#include <algorithm>
#include <array>

namespace ballotcast {

namespace {

/// One of the picture's samples a step away from what it is.
void move_one_sample(Drawing& drawing) {
  std::vector<u16>& samples = drawing.image.samples;
  u16& sample = samples[samples.size() / 2];
  sample = sample == 0 ? 1 : static_cast<u16>(sample - 1);
}

/// An alpha channel, in which one pixel isn't opaque.
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

/// The hit in the middle of those there are; null where nothing was hit.
Hit* some_hit(Drawing& drawing) {
  std::vector<Hit*> found;
  for (Hit& hit : drawing.hits)
    if (hit.found()) found.push_back(&hit);
  return found.empty() ? nullptr : found[found.size() / 2];
}

void count_one_more(Drawing& drawing) { ++drawing.counts.counter; }

/// A control that needs nothing drawn again.
struct Spoiler {
  const char* name;
  void (*spoil)(Drawing& drawing);
};

constexpr std::array<Spoiler, 2> kOfPictures = {{
    {"one pixel off by one", move_one_sample},
    {"alpha only", touch_alpha},
}};

ControlResult judged(const char* name, const SuiteCase& c, const Setup& setup,
                     const Approved& approved, const Drawing& drawing) {
  const CaseJudgement judgement = judge(c, setup, approved, drawing);
  return {name, info_of(judgement.verdict).outcome == CaseOutcome::failed, judgement.why};
}

/// The scene with the triangle of a hit somewhat out of its place.
std::shared_ptr<const Scene> with_triangle_moved(const Scene& scene, u32 triangle) {
  auto moved = std::make_shared<Scene>(scene);
  Mesh& mesh = moved->mesh;
  // Its corners become its own, so that no neighbour moves along.
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
                                        const Approved& approved, Studio& studio) {
  // Controls are about the judge: a tolerance of this case is none of theirs.
  SuiteCase strict = c;
  strict.tolerance.reset();
  const Drawing good = studio.draw(c, setup);
  std::vector<ControlResult> results;
  for (const Spoiler& spoiler : kOfPictures) {
    Drawing bad = good;
    spoiler.spoil(bad);
    results.push_back(judged(spoiler.name, strict, setup, approved, bad));
  }
  if (c.is_command()) return results;

  Drawing dropped = good;
  Hit* const hit = some_hit(dropped);
  const u32 triangle = hit ? hit->primitive : 0;
  if (hit) {
    *hit = Hit{unbounded(), kNoPrimitive, 0.0f, 0.0f};
    results.push_back(judged("one ray dropped", strict, setup, approved, dropped));
    results.push_back(
        judged("one triangle moved", strict, setup, approved,
               studio.draw(c, setup, with_triangle_moved(*studio.scene_of(c), triangle))));
  } else {
    for (const char* name : {"one ray dropped", "one triangle moved"})
      results.push_back({name, false, "no ray of this case hits anything", false});
  }
  Drawing counted = good;
  count_one_more(counted);
  results.push_back(judged("one counter off by one", strict, setup, approved, counted));
  return results;
}

}  // namespace ballotcast
