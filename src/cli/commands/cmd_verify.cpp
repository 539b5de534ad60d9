// ballotcast verify: tests whether all devices and options on this computer give the same result.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "compare/suite/verify.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct ReplayRequest {
  VerifyRequest verify;
  std::string suite;
  std::string pixel;  // value of --pixel, "x,y", or ""
  bool strict = false;
  Setup setup;
};

/// The path of the suite that comes with the program, whether the program is installed or in its
/// build folder.
std::string shipped_suite() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure).parent_path();
  for (const fs::path& path : {program / BALLOTCAST_DATA_FROM_PROGRAM / "suite.json",
                               program / BALLOTCAST_DATA_BESIDE_PROGRAM / "suite.json"})
    if (fs::exists(path, failure)) return path.lexically_normal().string();
  throw InputError("the suite of ballotcast was not found; give the path of a suite");
}

PictureRay ray_from(const std::string& text) {
  PictureRay ray;
  const std::size_t comma = text.find(',');
  const auto number = [&](u32& target, const std::string& digits) {
    const char* const end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, target);
    return error == std::errc() && at == end && !digits.empty();
  };
  if (comma == text.npos || !number(ray.x, text.substr(0, comma)) ||
      !number(ray.y, text.substr(comma + 1)))
    throw UsageError("--replay needs a pixel like 3,4, not '" + text + "'");
  return ray;
}

int replay_ray(const Suite& suite, const ReplayRequest& r) {
  if (r.verify.devices.size() != 1) throw UsageError("--replay needs one --device");
  const std::vector<const SuiteCase*> cases = chosen_cases(suite, r.verify.only);
  if (cases.size() != 1 || cases[0]->is_command())
    throw UsageError("--replay needs --only with one case that has a scene");
  Setup setup = r.setup;
  setup.renderer.device = r.verify.devices[0];
  if (const std::string why = unusable(setup.renderer.device); !why.empty())
    throw DeviceError(setup.renderer.device + ": " + why);
  CastChoice{setup.cast};  // throws for unknown names
  const ReplayedRay ray = replay(suite, *cases[0], r.verify, setup, ray_from(r.pixel));
  char text[256];
  std::snprintf(text, sizeof text, "from %.9g, %.9g, %.9g towards %.9g, %.9g, %.9g",
                static_cast<double>(ray.ray.origin.x), static_cast<double>(ray.ray.origin.y),
                static_cast<double>(ray.ray.origin.z), static_cast<double>(ray.ray.direction.x),
                static_cast<double>(ray.ray.direction.y), static_cast<double>(ray.ray.direction.z));
  print(entries({{"ray", text},
                 {"cpu", in_words(ray.reference)},
                 {"here", in_words(ray.got)},
                 {"with", setup.in_words()}}) +
        (ray.same() ? "one answer\n" : "NOT one answer\n"));
  return ray.same() ? 0 : 1;
}

int verify_here(ReplayRequest& r) {
  Suite suite = load_suite(r.suite.empty() ? shipped_suite() : r.suite);
  suite.strict = r.strict;
  if (!r.pixel.empty()) return replay_ray(suite, r);
  if (texts_of(cast_settings(), r.setup) != texts_of(cast_settings(), Setup()))
    throw UsageError("the options for one ray need --replay");
  const auto can_be_used = [](const std::string& device) { return unusable(device).empty(); };
  if (!r.verify.devices.empty() && std::ranges::none_of(r.verify.devices, can_be_used))
    throw DeviceError(r.verify.devices.front() + ": " + unusable(r.verify.devices.front()));
  VerifyRun run;
  {
    ProgressBar bar("pictures");
    r.verify.progress = bar.report();
    run = verify(suite, r.verify);
  }
  remark_warnings(run.warnings);
  print(text_report(run));
  if (run.tried == 0) throw DeviceError("nothing could be verified here");
  return run.passed() ? 0 : 1;
}

}  // namespace

Command verify_command() {
  const auto r = std::make_shared<ReplayRequest>();
  const std::vector<std::string_view> devices = names_of(backends());
  const std::string what = "What", ray = "Casting one ray again";
  std::vector<Option> table = {
      {what, "SUITE", "FILE", "the shipped one", "the suite whose scenes are drawn",
       set_text(r->suite)},
      {what, "--only", "LIST", "all cases", "names of cases, or patterns with * and ?",
       set_texts(r->verify.only), true},
      {what, "--device", "LIST", "all",
       joined(devices) + "; or several machines, which share the work: cuda:0,2",
       set_devices(r->verify.devices), true},
      {what, "--size", "WxH",
       std::to_string(r->verify.width) + "x" + std::to_string(r->verify.height),
       "size of the pictures for which all options are tried",
       set_size(r->verify.width, r->verify.height)},
      strict_option(r->strict, what),
      {ray, "--replay", "X,Y", "", "the pixel whose ray is cast, on the CPU and on --device",
       set_text(r->pixel)}};
  for (const CastSetting& axis : setup_axes())
    if (axis.part != CastPart::machine) table.push_back(cast_option(ray, axis.key, r->setup));
  return {"verify", "proves that every device and option on this machine gives the same result",
          table, [r] { return verify_here(*r); }, true};
}

}  // namespace ballotcast::detail
