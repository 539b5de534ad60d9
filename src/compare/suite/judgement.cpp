#include "compare/suite/judgement.hpp"

#include <algorithm>
#include <array>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "compare/needed.hpp"
#include "compare/suite/cases.hpp"
#include "image/codec.hpp"
#include "math/ray_hit.hpp"
#include "scene/scene_data.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

std::string fingerprint(const SampledImage& image) {
  Fnv1a hash;
  for (const u32 word : {image.width, image.height, image.channels, image.depth}) hash.add(word);
  for (const u16 sample : image.samples) {
    hash.add(static_cast<u8>(sample));
    if (image.depth > 8) hash.add(static_cast<u8>(sample >> 8));
  }
  return hash.digits();
}

namespace {

/// The inputs that differ from the approved ones, in sentences; "" if there are none.
std::string changed_inputs(const SuiteCase& c, const Approved& approved) {
  const Approval& a = *approved.approval;
  std::string why;
  const auto say = [&](const std::string& sentence) { why += (why.empty() ? "" : " ") + sentence; };
  if (a.settings != c.settings_hash) say("The settings of this case have changed.");
  for (const auto& [file, hash] : a.files) {
    const auto now = approved.files.find(file);
    if (now == approved.files.end())
      say(file + " is no longer part of the scene.");
    else if (now->second != hash)
      say(file + " was changed (" + hash + ", now " + now->second + ").");
  }
  for (const auto& [file, hash] : approved.files)
    if (!a.files.contains(file)) say(file + " is a new part of the scene.");
  if (!why.empty()) say("These changes have not been accepted.");
  return why;
}

/// Compares the values of a drawing that must be exactly as approved. The first check is the hash
/// of the pixels, which may differ if the case has a tolerance.
std::vector<SuiteCheck> checks_of(const SuiteCase& c, const Setup& setup, const Approval& a,
                                  const Drawing& drawing) {
  std::vector<SuiteCheck> checks{{"pixels", a.pixels, fingerprint(drawing.image)}};
  if (c.is_command()) return checks;
  checks.push_back({"hits", a.hits, hash_of(drawing.hits)});
  checks.push_back({"rays", std::to_string(a.rays), std::to_string(drawing.counts.rays)});
  if (drawing.is_shared) return checks;
  const auto counter = a.counters.find(setup.counter_key());
  checks.push_back({"counter of " + setup.counter_key(),
                    counter == a.counters.end() ? "not approved" : counter->second.in_words(),
                    ApprovedCount{drawing.counts.passes, drawing.counts.counter}.in_words()});
  return checks;
}

/// A sentence about how many pixels differ, and by how much.
std::string difference_in_words(const Comparison& comparison) {
  std::string words = grouped(comparison.different) + " of " + grouped(comparison.pixels) +
                      " pixels differ, by up to " + std::to_string(comparison.max_error) + " of " +
                      std::to_string(comparison.largest);
  if (comparison.worst)
    words += ", most at pixel " + std::to_string(comparison.worst->x) + "," +
             std::to_string(comparison.worst->y);
  if (comparison.color_different == 0) words += "; only alpha differs";
  return words + ".";
}

/// Sentences about the sizes of two pictures whose sizes differ.
std::string sizes_in_words(const Comparison& comparison) {
  const std::string sizes = "The picture is " + size_of(comparison.result_size) + ", the golden " +
                            size_of(comparison.reference_size) +
                            ". Of what both have, from the top left corner, ";
  return sizes +
         (comparison.different == 0 ? "no pixel differs." : difference_in_words(comparison));
}

/// Judges the measures by the ranges of the tolerance, and sets the verdict.
void judge_ranges(CaseJudgement& judgement, const Tolerance& tolerance) {
  bool worse = false, better = false;
  for (const ToleranceRange& range : tolerance.ranges) {
    const JudgedRange judged{range, measure_of(range.measure, *judgement.comparison)};
    judgement.ranges.push_back(judged);
    if (judged.kept()) continue;
    const bool good_end =
        lower_is_better(range.measure) ? judged.value < range.low : judged.value > range.high;
    (good_end ? better : worse) = true;  // NaN counts as worse
  }
  judgement.verdict = worse    ? CaseVerdict::different
                      : better ? CaseVerdict::not_needed
                               : CaseVerdict::within_limits;
  judgement.why += worse ? " That is beyond its tolerance."
                   : better
                       ? " That is less than its tolerance expects: narrow or remove the tolerance."
                       : " Tolerated: " + tolerance.why;
}

}  // namespace

std::span<const CaseVerdictInfo> case_verdicts() {
  using enum CaseVerdict;
  using Outcome = CaseOutcome;
  static constexpr std::array<CaseVerdictInfo, 9> table = {{
      {same, "same", Outcome::ok, "every bit is as approved"},
      {within_limits, "within limits", Outcome::ok, "differs within its tolerance"},
      {different, "different", Outcome::failed, "differs from what is approved"},
      {not_needed, "tolerance not needed", Outcome::failed,
       "differs less than its tolerance expects"},
      {unapproved, "new", Outcome::failed, "not accepted yet"},
      {inputs_changed, "inputs changed", Outcome::failed, "its inputs have changed"},
      {golden_changed, "golden changed", Outcome::failed, "its golden isn't the accepted one"},
      {failed, "error", Outcome::failed, "couldn't be drawn"},
      {skipped, "skipped", Outcome::skipped, "can't be drawn here"},
  }};
  return table;
}

const CaseVerdictInfo& info_of(CaseVerdict verdict) {
  return case_verdicts()[static_cast<std::size_t>(verdict)];
}

Approved approved_of(const Suite& suite, const SuiteCase& c, CaseRenderer& renderer_of_cases) {
  Approved approved;
  approved.approval = suite.approval_of(c.name);
  approved.files = renderer_of_cases.files_of(c);
  approved.options.ignore = c.ignore;
  if (!c.ignore_where.empty()) {
    approved.options.ignore_where_name = suite.beside(c.ignore_where);
    approved.options.ignore_where = read_picture(approved.options.ignore_where_name);
  }
  if (!approved.approval) return approved;
  try {
    approved.golden = read_png(suite.beside(approved.approval->golden));
    if (const std::string now = fingerprint(approved.golden); now != approved.approval->pixels)
      approved.golden_why = approved.approval->golden + " has other pixels (" + now +
                            ") than the accepted ones (" + approved.approval->pixels + ").";
  } catch (const InputError& error) {
    approved.golden_why = std::string(error.what()) + ".";
  }
  return approved;
}

CaseJudgement judge(const SuiteCase& c, const Setup& setup, const Approved& approved,
                    const Drawing& drawing) {
  CaseJudgement judgement;
  const auto end = [&](CaseVerdict verdict, std::string why) {
    judgement.verdict = verdict;
    judgement.why = std::move(why);
    return judgement;
  };
  if (!drawing.skipped.empty()) return end(CaseVerdict::skipped, drawing.skipped + ".");
  if (!approved.approval)
    return end(CaseVerdict::unapproved,
               "Nothing to compare with: look at the picture, then `ballotcast accept`.");
  judgement.checks = checks_of(c, setup, *approved.approval, drawing);
  if (!approved.golden.samples.empty())
    judgement.comparison = compare(approved.golden, drawing.image, approved.options);

  std::string why = changed_inputs(c, approved);
  if (!why.empty()) return end(CaseVerdict::inputs_changed, why);
  if (!approved.golden_why.empty()) return end(CaseVerdict::golden_changed, approved.golden_why);
  if (judgement.comparison->sizes_differ())
    return end(CaseVerdict::different, sizes_in_words(*judgement.comparison));
  if (!judgement.comparison->same) judgement.why = difference_in_words(*judgement.comparison);
  // A tolerance applies to the values of pixels, not to the number of channels or bits.
  const bool one_form = approved.golden.channels == drawing.image.channels &&
                        approved.golden.depth == drawing.image.depth;
  if (c.tolerance && one_form) {
    if (judgement.comparison->same) judgement.why = "No pixel differs.";
    judge_ranges(judgement, *c.tolerance);
  } else if (!judgement.checks.front().same()) {
    const bool is_ignored = one_form && judgement.comparison->same;
    judgement.verdict = is_ignored ? CaseVerdict::within_limits : CaseVerdict::different;
    if (is_ignored) judgement.why = "Pixels differ only where this case ignores them.";
    if (!one_form)
      judgement.why +=
          (judgement.why.empty() ? "" : " ") + std::string("Its channels or depth differ.");
  }
  for (const SuiteCheck& check : judgement.checks)
    if (&check != &judgement.checks.front() && !check.same()) {
      judgement.verdict = CaseVerdict::different;
      judgement.why += (judgement.why.empty() ? "" : " ") + std::string("Its ") + check.name +
                       " differ: expected " + check.expected + ", got " + check.got + ".";
    }
  const bool others_are_same = std::all_of(judgement.checks.begin() + 1, judgement.checks.end(),
                                           [](const SuiteCheck& check) { return check.same(); });
  if (info_of(judgement.verdict).outcome == CaseOutcome::failed && one_form && others_are_same)
    judgement.needed = needed_tolerance(*judgement.comparison, c.tolerance);
  return judgement;
}

namespace {

/// Changes one sample of the picture by 1.
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

/// One of the drawing's hits that found a triangle: the middle one. Null if no ray hit a triangle.
Hit* some_hit(Drawing& drawing) {
  std::vector<Hit*> found;
  for (Hit& hit : drawing.hits)
    if (hit.found()) found.push_back(&hit);
  return found.empty() ? nullptr : found[found.size() / 2];
}

// The functions that decide whether a negative control was noticed: only if the check fails that
// the control is meant for. A failure of another check is not enough.

bool differs_in_one_pixel(const CaseJudgement& judgement) {
  return judgement.comparison && judgement.comparison->different == 1;
}

bool differs_in_alpha(const CaseJudgement& judgement) {
  return judgement.comparison && judgement.comparison->alpha_different == 1 &&
         judgement.comparison->color_different == 0;
}

/// True if at least one check fails whose name begins with the letter `first`: h for hits, c for
/// counter.
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
  // Gives the triangle three vertices that only it uses, so that its neighbours do not move.
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
  Approved all = approved;
  all.options = {};
  Drawing good = renderer_of_cases.draw(c, setup);
  // The control must not depend on the tolerance
  if (c.has_freedom()) good.image = approved.golden;
  std::vector<ControlResult> results;
  const CaseJudgement unspoilt = judge(strict, setup, all, good);
  results.push_back({"drawn again, the same", unspoilt.verdict == CaseVerdict::same, unspoilt.why});
  const auto add = [&](const char* name, const Drawing& bad, auto notices) {
    results.push_back(judged(name, strict, setup, all, bad, notices));
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
    // The camera is fixed, because one chosen for the scene would move with the triangle
    SuiteCase held = c;
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
