#include "compare/suite/verify.hpp"

#include <algorithm>
#include <cstdio>

#include "backends/device/backend.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "kernels/frame/paths.hpp"
#include "render/settings.hpp"
#include "scene/scene_data.hpp"
#include "support/processes/processes.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Returns the case with a small size, one sample per pixel and a fixed exposure.
SuiteCase small(const SuiteCase& c, const VerifyRequest& request) {
  SuiteCase out = c;
  out.picture.width = request.width;
  out.picture.height = request.height;
  out.picture.samples = 1;
  out.picture.exposure = 1.0f;
  return out;
}

std::vector<Setup> setups_on(const std::string& device) {
  CaseAxes axes;
  for (const CastSetting& axis : setup_axes())
    axes[std::string(axis.key)] = {axis.all.begin(), axis.all.end()};
  axes["device"] = {device};
  return setups_of(axes);
}

bool have_same_tree(const Setup& a, const Setup& b) {
  return std::ranges::all_of(cast_settings(), [&](const CastSetting& row) {
    return row.part != CastPart::tree || row.text(a) == row.text(b);
  });
}

/// The index of the first of `setups` that must draw the same picture of `c` as setup i. This is 0,
/// unless the shading may show leaf visits, which depend on the tree.
std::size_t first_alike(const std::vector<Setup>& setups, std::size_t i, const SuiteCase& c) {
  if (!c.picture.shading.empty() && !shading_called(c.picture.shading).visits()) return 0;
  std::size_t first = 0;
  while (!have_same_tree(setups[first], setups[i])) ++first;
  return first;
}

std::string count_in_words(const CastCounts& counts) {
  return counted(counts.rays, "ray") + ", " + std::to_string(counts.passes) + " passes, counter " +
         std::to_string(counts.counter);
}

std::string replay_command(const Suite& suite, const SuiteCase& c, const Setup& setup,
                           const PictureRay& ray) {
  std::string line = "ballotcast verify '" + suite.path + "' --only " + c.name;
  for (const CastSetting& axis : setup_axes())
    line += " --" + std::string(axis.name) + " " + axis.text(setup);
  return line + " --size " + std::to_string(c.picture.width) + "x" +
         std::to_string(c.picture.height) + " --replay " + std::to_string(ray.x) + "," +
         std::to_string(ray.y);
}

/// The first difference between two drawings of a small case, or nothing. Both drawings must have
/// counters for the same options.
std::optional<Disagreement> difference(const Suite& suite, const SuiteCase& c, const Setup& setup,
                                       const Drawing& reference, const Drawing& got) {
  Disagreement d{c.name, setup, "", "", "", ""};
  for (std::size_t i = 0; i < reference.hits.size(); ++i) {
    if (i < got.hits.size() && same_bits(reference.hits[i], got.hits[i])) continue;
    const auto pixel = static_cast<u32>(i);
    const PictureRay ray{pixel % c.picture.width, pixel / c.picture.width, 0};
    d.what = "hit of pixel " + std::to_string(ray.x) + "," + std::to_string(ray.y);
    d.reference = in_words(reference.hits[i]);
    d.got = i < got.hits.size() ? in_words(got.hits[i]) : "no record";
    d.replay = replay_command(suite, c, setup, ray);
    return d;
  }
  if (reference.image.samples != got.image.samples) {
    const auto at = std::mismatch(reference.image.samples.begin(), reference.image.samples.end(),
                                  got.image.samples.begin(), got.image.samples.end());
    const auto pixel = static_cast<u32>((at.first - reference.image.samples.begin()) / 3);
    const auto color = [&](const std::vector<u16>& samples) {
      return std::to_string(samples[pixel * 3]) + ", " + std::to_string(samples[pixel * 3 + 1]) +
             ", " + std::to_string(samples[pixel * 3 + 2]);
    };
    const PictureRay ray{pixel % c.picture.width, pixel / c.picture.width, 0};
    d.what = "pixel " + std::to_string(ray.x) + "," + std::to_string(ray.y);
    d.reference = color(reference.image.samples);
    d.got = color(got.image.samples);
    // The hits of the camera rays are equal, so no camera ray shows the difference when it is cast
    // again
    return d;
  }
  if (got.is_shared ? reference.counts.rays != got.counts.rays
                    : count_in_words(reference.counts) != count_in_words(got.counts)) {
    d.what = "counter";
    d.reference = count_in_words(reference.counts);
    d.got = count_in_words(got.counts);
    return d;
  }
  return std::nullopt;
}

/// Counts a drawing in the statistics of each of its axis values, such as its device: as tried and,
/// unless `agrees`, as different.
void tally(VerifyRun& run, const Setup& setup, bool agrees) {
  ++run.tried;
  run.disagreed += agrees ? 0 : 1;
  for (const CastSetting& row : setup_axes()) {
    const std::string axis = row.words(), value = row.text(setup);
    auto at = std::find_if(run.values.begin(), run.values.end(),
                           [&](const AxisValue& v) { return v.axis == axis && v.value == value; });
    if (at == run.values.end()) at = run.values.insert(at, {axis, value, 0, 0, ""});
    ++at->tried;
    at->disagreed += agrees ? 0 : 1;
  }
}

/// Draws the whole picture on a device and compares it with the approved one.
void verify_approved(VerifyRun& run, const Suite& suite, const SuiteCase& c,
                     CaseRenderer& renderer_of_cases, const std::string& device) {
  // Uses a setup for which a counter was approved, because counters depend on the options.
  const Setup setup = setups_of(c, {device}).front();
  const CaseJudgement judgement =
      judge(c, setup, approved_of(suite, c, renderer_of_cases), renderer_of_cases.draw(c, setup));
  if (judgement.verdict == CaseVerdict::unapproved) {
    run.unapproved.push_back(c.name + " is not approved yet: `ballotcast accept`.");
    return;
  }
  ++run.approved_tried;
  if (info_of(judgement.verdict).outcome == CaseOutcome::ok) return;
  ++run.approved_disagreed;
  run.unapproved.push_back(c.name + " on " + device + ": " +
                           std::string(info_of(judgement.verdict).words) + ". " + judgement.why);
}

/// The devices to verify: those of the request, or all. Records in `run` which of them can't be
/// used.
std::vector<std::string> usable_devices(const VerifyRequest& request, VerifyRun& run) {
  std::vector<std::string> devices = request.devices;
  if (devices.empty())
    for (const BackendInfo& backend : backends()) devices.emplace_back(backend.name);
  std::vector<std::string> usable;
  for (const std::string& device : devices) {
    const std::string why = unusable(device);
    if (why.empty())
      usable.push_back(device);
    else
      run.values.push_back({"device", device, 0, 0, why});
  }
  if (Processes* const all = sharing_processes()) {
    std::string names;
    for (const std::string& device : usable) names += (names.empty() ? "" : ",") + device;
    require_same(*all, "the devices", names);
  }
  return usable;
}

}  // namespace

bool ReplayedRay::same() const { return same_bits(reference, got); }

std::string in_words(const Hit& hit) {
  if (!hit.found()) return "nothing";
  char text[160];
  std::snprintf(text, sizeof text, "t %.9g (%08x), triangle %u, u %.9g (%08x), v %.9g (%08x)",
                static_cast<double>(hit.t), bits_of(hit.t), hit.triangle,
                static_cast<double>(hit.u), bits_of(hit.u), static_cast<double>(hit.v),
                bits_of(hit.v));
  return text;
}

VerifyRun verify(const Suite& suite, const VerifyRequest& request) {
  const Stopwatch watch;
  VerifyRun run;
  const std::vector<std::string> usable = usable_devices(request, run);
  std::vector<const SuiteCase*> cases = chosen_cases(suite, request.only);
  std::erase_if(cases, [](const SuiteCase* c) { return c->is_command(); });
  const std::vector<Setup> on_cpu = setups_on("cpu");
  const u64 total = u64{cases.size()} * usable.size() * (1 + on_cpu.size());
  u64 done = 0;
  const auto step = [&] {
    if (request.progress) request.progress(++done, total);
  };

  CaseRenderer renderer_of_cases(suite), renderer_alone(suite, true);
  CaseRenderer& renderer_of_references = sharing_processes() ? renderer_alone : renderer_of_cases;
  for (const SuiteCase* c : cases) {
    const SuiteCase little = small(*c, request);
    std::vector<Drawing> references;
    for (const Setup& setup : on_cpu)
      references.push_back(renderer_of_references.draw(little, setup));
    for (const std::string& device : usable) {
      verify_approved(run, suite, *c, renderer_of_cases, device);
      step();
      for (std::size_t i = 0; i < on_cpu.size(); ++i) {
        Setup setup = on_cpu[i];
        setup.renderer.device = device;
        // The reference is the CPU's drawing. For the CPU's own drawings, it is the first of them
        // that must be the same; counters are not compared then, because they depend on the
        // options.
        const bool is_cpu = device == "cpu" && !sharing_processes();
        Drawing reference = references[is_cpu ? first_alike(on_cpu, i, *c) : i];
        reference.counts = references[i].counts;
        Drawing got = is_cpu ? references[i] : renderer_of_cases.draw(little, setup);
        if (request.spoil) request.spoil(setup, got);
        const auto found = difference(suite, little, setup, reference, got);
        tally(run, setup, !found);
        if (found && !run.first) run.first = found;
        step();
      }
    }
  }
  run.warnings = renderer_of_cases.warnings();
  run.milliseconds = watch.milliseconds();
  return run;
}

ReplayedRay replay(const Suite& suite, const SuiteCase& c, const VerifyRequest& request,
                   const Setup& setup, PictureRay ray) {
  const SuiteCase little = small(c, request);
  if (ray.x >= little.picture.width || ray.y >= little.picture.height)
    throw UsageError("pixel " + std::to_string(ray.x) + "," + std::to_string(ray.y) +
                     " is outside the picture of " + std::to_string(little.picture.width) + "x" +
                     std::to_string(little.picture.height));
  CaseRenderer renderer_of_cases(suite);
  const auto scene = renderer_of_cases.scene_of(little);
  ReplayedRay out{};
  const auto cast_on = [&](const Setup& of_cast) {
    Renderer renderer(scene, of_cast.renderer);
    const Camera camera = complete(renderer.resolved(little.picture).camera);
    out.ray =
        camera_ray(make_view(camera, scene->origin, little.picture.width, little.picture.height),
                   {ray.x, ray.y}, sample_place(ray.x, ray.y, ray.sample, little.picture.samples),
                   little.picture.samples);
    Hit hit;
    renderer.closest({&out.ray, 1}, {&hit, 1}, of_cast.cast, {}, {little.picture.sides});
    return hit;
  };
  {
    const Alone here;
    out.reference = cast_on(Setup("cpu"));
  }
  out.got = cast_on(setup);
  return out;
}

std::string text_report(const VerifyRun& run) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const CastSetting& row : setup_axes()) {
    const std::string axis = row.words();
    std::string words;
    for (const AxisValue& value : run.values) {
      if (value.axis != axis) continue;
      words += (words.empty() ? "" : "; ") + value.value + " ";
      words += !value.skipped.empty() ? "skipped: " + value.skipped
               : value.disagreed != 0
                   ? grouped(value.disagreed) + " of " + grouped(value.tried) + " DISAGREE"
                   : grouped(value.tried) + " agree";
    }
    if (!words.empty()) lines.emplace_back(axis, words);
  }
  lines.emplace_back("approved", grouped(run.approved_tried - run.approved_disagreed) + " of " +
                                     grouped(run.approved_tried) + " whole pictures as approved");
  std::string out = entries(lines);
  for (const std::string& sentence : run.unapproved) out += wrapped(sentence, 0);
  if (run.first) {
    const Disagreement& d = *run.first;
    out += wrapped("First disagreement: " + d.what + " of " + d.case_name + " on " +
                       d.setup.in_words() + ".",
                   0) +
           wrapped("cpu: " + d.reference, 2) + wrapped("here: " + d.got, 2);
    // The command is on one line, so that it can be copied
    if (!d.replay.empty()) out += "  again: " + d.replay + "\n";
  }
  out += wrapped(grouped(run.tried) + " pictures with all options, " + grouped(run.disagreed) +
                     " different, in " + time_in_words(run.milliseconds) + ".",
                 0);
  if (run.tried == 0) return out + "nothing could be verified\n";
  return out + (run.passed() ? "one answer\n" : "NOT one answer\n");
}

}  // namespace ballotcast::detail
