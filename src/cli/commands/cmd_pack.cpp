// ballotcast pack: stores a scene and its tree in a packed file, which needs no preparation.
#include <memory>

#include "backends/pack/packed_tree.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/threads.hpp"
#include "ballotcast/version.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct PackRequest {
  SceneOptions scene;
  CastSettings casting;
  std::string output;  // packed file; "" for the name of the scene with another ending
  bool json = false;
};

/// What `pack` has done, and the milliseconds that it took.
struct PackReport {
  std::string output;
  u64 bytes = 0;
  double load = 0.0, build = 0.0, write = 0.0, total = 0.0;
};

/// The name of the packed file.
std::string output_of(const PackRequest& r) {
  if (!r.output.empty()) return r.output;
  const std::vector<PlacedFile>& meshes = r.scene.scene.meshes;
  const std::string& first =
      r.scene.scene.file.empty() && !meshes.empty() ? meshes.front().file : r.scene.scene.file;
  return (first.empty() ? "builtin" : scene_name_of(first)) + std::string(kPackedSuffix);
}

/// Throws UsageError or OutputError for invalid requests, before any long work.
void check(const PackRequest& r, const std::string& output) {
  require_name(kPackedScene, "--output", output);
  if (is_stdout(output)) throw UsageError("--output: a packed scene can't go to stdout");
  require_none_of("--output", output, {r.scene.scene.file});
  require_writable(output);
}

Json json_of_pack(const PreparedScene& scene, const PackReport& report) {
  return {{"version", version()},
          {"scene", scene.scene->name},
          {"triangles", scene.scene->triangle_count()},
          {"builder", scene.builder.name()},
          {"layout", scene.encoded.layout->name},
          {"output", report.output},
          {"bytes", report.bytes},
          {"timings_ms",
           {{"load", report.load},
            {"build", report.build},
            {"write", report.write},
            {"total", report.total}}},
          {"warnings", scene.scene->warnings}};
}

int pack(const PackRequest& r) {
  r.scene.require_time();
  const Stopwatch total;
  PackReport report;
  report.output = output_of(r);
  check(r, report.output);
  const std::int64_t started = begin_reading();

  const Stopwatch load_watch;
  const Scene scene = load(r.scene.scene);
  report.load = load_watch.milliseconds();
  require_none_of("--output", report.output, scene.data()->all_files());
  require_packable(*scene.data());
  if (!scene.data()->animations.empty() && !r.scene.scene.time)
    remark("note: a packed scene stands still: animations are left out");

  const Stopwatch build;
  const std::shared_ptr<const PreparedScene> prepared = [&] {
    ProgressBar bar("triangles");
    return prepare_as_packed(scene.data(), r.casting.renderer.builder, r.casting.renderer.layout,
                             bar.report());
  }();
  remark_tree(*prepared);
  report.build = build.milliseconds();

  const Stopwatch write;
  report.bytes =
      write_packed(report.output, *prepared, sources_of(*scene.data(), started, report.output),
                   r.casting.renderer.layout == "auto");
  report.write = write.milliseconds();
  report.total = total.milliseconds();
  print(r.json ? text_of(json_of_pack(*prepared, report))
               : "wrote " + one_line(report.output) + " (" +
                     grouped(prepared->scene->triangle_count()) + " triangles, " +
                     prepared->builder.name() + ", " + std::string(prepared->encoded.layout->name) +
                     ", " + bytes_in_words(report.bytes) + ") in " + time_in_words(report.total) +
                     "\n");
  return 0;
}

}  // namespace

Command pack_command() {
  const auto r = std::make_shared<PackRequest>();
  const std::string files = "Files", tree = "Tree";
  std::vector<Option> table = {
      scene_file_option(r->scene, files),
      {files, "-o,--output", "FILE", "the scene's name with .bcast",
       "the packed scene; every command takes it as a scene", set_text(r->output)},
      {files, "--json", "", "", "print a report as JSON", set_flag(r->json)}};
  for (Option& row : moment_options(r->scene, files)) table.push_back(std::move(row));
  for (Option& row : world_options(r->scene)) table.push_back(std::move(row));
  const std::vector<Option> rest = {cast_option(tree, "layout", r->casting),
                                    host_build_option(tree, r->casting),
                                    cast_option(tree, "threads", r->casting)};
  table.insert(table.end(), rest.begin(), rest.end());
  return {"pack", "stores a scene with its tree in one file, for a quick start", table, [r] {
            int code = 0;
            with_threads(r->casting.threads, [&] { code = pack(*r); });
            return code;
          }};
}

}  // namespace ballotcast::detail
