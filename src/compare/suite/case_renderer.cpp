#include "compare/suite/case_renderer.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "backends/device/device_choice.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "render/internals.hpp"
#include "render/remarks.hpp"
#include "scene/assemble.hpp"
#include "support/child_program.hpp"
#include "support/files/files.hpp"
#include "support/hash.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

std::string replaced(std::string word, const std::string& output) {
  const std::string mark = "{output}";
  for (std::size_t at = 0; (at = word.find(mark, at)) != word.npos; at += output.size())
    word.replace(at, mark.size(), output);
  return word;
}

/// A remark about the picture of a case for Drawing::remark, or "".
std::string remark_on(const Renderer& renderer, const SuiteCase& c, const Frame& frame) {
  if (std::ranges::none_of(frame.hits, [](const Hit& hit) { return hit.found(); }))
    return unseen_warning(is_camera_given(*renderer.scene().data(), c.picture.camera));
  return light_note(frame);
}

Drawing drawing_of(Renderer& renderer, const SuiteCase& c, const Setup& setup) {
  RenderSettings settings = c.picture;
  settings.keep_hits = true;
  settings.cast = setup.cast;
  Frame frame = renderer.render(settings);
  const std::string remark = remark_on(renderer, c, frame);
  return {"",
          sampled(frame.image),
          encode_png(frame.image),
          remark,
          std::move(frame.hits),
          frame.counts,
          device_of(renderer).is_shared()};
}

/// Runs `command` in `folder`, with each "{output}" in its words replaced by the name of a
/// temporary file, and returns the content of that file. No shell is used. Throws InputError if the
/// command can't be started, takes longer than `timeout_s` seconds, fails, or writes no file. If
/// the command fails, the message ends with the last line that it wrote to stderr. Throws
/// OutputError if there is no place for temporary files.
std::vector<u8> png_of_command(const std::vector<std::string>& command, const std::string& folder,
                               u32 timeout_s) {
  const TemporaryFolder temporary;
  const std::string output = temporary.file("picture.png");
  std::vector<std::string> words;
  for (const std::string& word : command) words.push_back(replaced(word, output));
  ChildProgram(words, folder).finish(timeout_s);
  if (!is_file(output))
    throw InputError("command '" + command.front() + "' wrote no picture to {output}");
  return read_file(output);
}

}  // namespace

std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices) {
  if (c.is_command()) return {Setup()};
  CaseAxes axes = c.on;
  if (!devices.empty()) axes["device"] = devices;
  return setups_of(axes);
}

std::string unusable(const std::string& device) {
  if (listed_machines(device).empty()) return backend_called(device).unusable();
  try {
    choose_device(device);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::shared_ptr<const SceneData> CaseRenderer::scene_of(const SuiteCase& c) {
  std::shared_ptr<const SceneData>& scene = scenes_[c.scene];
  if (!scene) {
    SceneRequest request;
    if (!c.scene.empty()) request.file = suite_.beside(c.scene);
    request.strict = suite_.strict;
    scene = std::make_shared<const SceneData>(assemble(request));
  }
  return scene;
}

std::vector<std::string> CaseRenderer::warnings() const {
  std::vector<std::string> all;
  for (const auto& [path, scene] : scenes_)
    if (scene) all.insert(all.end(), scene->warnings.begin(), scene->warnings.end());
  for (const auto& [name, remark] : remarks_) all.push_back(name + ": " + remark);
  return all;
}

std::map<std::string, std::string> CaseRenderer::files_of(const SuiteCase& c) {
  if (c.is_command()) return {};
  const auto known = files_.find(c.scene);
  if (known != files_.end()) return known->second;
  namespace fs = std::filesystem;
  std::map<std::string, std::string> hashes;
  const fs::path folder = fs::absolute(suite_.folder.empty() ? "." : suite_.folder);
  for (const std::string& file : scene_of(c)->files)
    hashes[fs::absolute(file)
               .lexically_normal()
               .lexically_relative(folder.lexically_normal())
               .generic_string()] = fingerprint(read_file(file));
  return files_[c.scene] = std::move(hashes);
}

Renderer& CaseRenderer::renderer_for(const SuiteCase& c, const Setup& setup) {
  if (rendered_scene_ != c.scene) renderers_.clear();
  rendered_scene_ = c.scene;
  std::unique_ptr<Renderer>& renderer = renderers_[renderer_key(setup)];
  if (!renderer) {
    std::optional<Alone> here;
    if (alone_) here.emplace();
    RendererOptions options = setup.renderer;
    // Throws instead of drawing with fewer machines, because the result must be that of all
    // machines
    options.strict_devices = true;
    renderer = std::make_unique<Renderer>(scene_of(c), options);
  }
  machines_[renderer->device()] = renderer->device_description();
  return *renderer;
}

Drawing CaseRenderer::draw(const SuiteCase& c, const Setup& setup) {
  if (c.is_command()) {
    std::vector<u8> png = png_of_command(c.command, suite_.beside("."), c.timeout_s);
    return {
        "", decode_png(png, "the picture of '" + c.command.front() + "'"), std::move(png), {}, {},
        {}};
  }
  if (const std::string why = unusable(setup.renderer.device); !why.empty())
    return {setup.renderer.device + ": " + why, {}, {}, {}, {}, {}};
  Drawing drawing = drawing_of(renderer_for(c, setup), c, setup);
  if (!drawing.remark.empty()) remarks_[c.name] = drawing.remark;
  return drawing;
}

Drawing CaseRenderer::draw(const SuiteCase& c, const Setup& setup,
                           std::shared_ptr<const SceneData> scene) const {
  Renderer renderer(std::move(scene), setup.renderer);
  return drawing_of(renderer, c, setup);
}

Camera CaseRenderer::camera_of(const SuiteCase& c, const Setup& setup) {
  return complete(renderer_for(c, setup).resolved(c.picture).camera);
}

}  // namespace ballotcast::detail
