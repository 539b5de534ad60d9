// ballotcast view: serves a page that shows a scene and lets users look around.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "ballotcast/error.hpp"
#include "cli/command.hpp"
#include "cli/commands/render_request.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "cli/this_process.hpp"
#include "support/files/files.hpp"
#include "support/files/temporary_files.hpp"
#include "support/page.hpp"
#include "support/text.hpp"
#include "view/viewer.hpp"

namespace ballotcast::detail {

namespace {

struct ViewRequest {
  SceneOptions scene;
  std::vector<std::string> words;         // the given options that change the scene
  std::vector<std::string> camera_words;  // all other given options of scene and camera
  std::string cameras, camera;  // a file of cameras, and the name of one of them; "" for the first
  u32 width = 640, height = 360;  // size of the picture that the camera matrix belongs to
  bool has_size = false;
  CastSettings casting;
  std::string suite;
  HostAndPort listens_at;
  u32 port = 0;
  bool stays_closed = false;  // true if no browser is opened
};

/// Opens the address in the browser of the desktop, if there is one. The browser gets the token
/// from a file that only this user can read, because every user can read the command lines of
/// running programs.
class OpenedPage {
 public:
  explicit OpenedPage(const std::string& address) {
    const char* const screens[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    bool has_desktop = false;
    for (const char* screen : screens) has_desktop |= std::getenv(screen) != nullptr;
    if (!has_desktop) return;
    folder_.emplace();
    const std::string file = folder_->file("open.html");
    write_text_atomically(file, "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=" +
                                    escaped_html(address) + "\"><title>Ballotcast</title>\n");
    std::string program = "xdg-open", name = file;
    char* words[] = {program.data(), name.data(), nullptr};
    // The browser may run longer than this program. So it gets a session of its own, its output is
    // discarded, and signals, which are blocked in this thread, are unblocked for it.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, output);
    pid_t process = 0;
    const int failed = ::posix_spawnp(&process, words[0], &files, &attributes, words, environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
    if (failed == 0) std::thread([process] { ::waitpid(process, nullptr, 0); }).detach();
  }

 private:
  std::optional<TemporaryFolder> folder_;
};

/// The members of the first picture's camera that options have given.
CameraSettings given_camera(const ViewRequest& r) {
  const auto gives = [&](const char* option) {
    const auto& words = r.camera_words;
    return std::find(words.begin(), words.end(), option) != words.end();
  };
  require_cameras_alone(r.cameras, r.camera, gives);
  if (r.has_size && !gives("--intrinsics") && r.cameras.empty())
    throw UsageError(
        "--size is that of the picture of --intrinsics or --cameras, which are not given; the "
        "page has the size of its window");
  if (r.cameras.empty()) return r.scene.camera_for(r.width, r.height);
  const std::vector<FileCamera> all =
      read_cameras(r.cameras, r.has_size ? r.width : 0, r.has_size ? r.height : 0);
  const std::size_t index = r.camera.empty() ? 0 : index_of_camera(all, r.camera, r.cameras);
  if (r.camera.empty() && all.size() > 1)
    remark("note: " + one_line(r.cameras) + " has " + counted(all.size(), "camera") +
           "; the page begins with the first, '" + one_line(all[0].name) +
           "'; --camera NAME chooses another");
  return with_lens_of(all[index], r.scene.camera);
}

int view(ViewRequest& r) {
  const CameraSettings camera = given_camera(r);
  if (!r.suite.empty()) {
    require_writable(r.suite);
    std::error_code ignored;
    if (!std::filesystem::exists(r.suite, ignored))
      remark("note: " + r.suite + " does not exist yet; the first case that is added makes it");
  }
  const std::string token = new_token();
  ViewerOptions options{{r.scene.scene, camera, r.casting.renderer},
                        {called_program(), r.scene.scene.file, r.words, {}, false},
                        r.suite,
                        token};
  // Opens the port first, so that an error is reported before the long work.
  std::unique_ptr<Viewer> viewer;
  r.listens_at.port = static_cast<int>(r.port);
  Server server(r.listens_at, token,
                {[&](const HttpRequest& http) { return viewer->answer(http); },
                 [&](const HttpRequest& http) { return viewer->body(http); }});
  {
    ProgressBar bar("triangles");
    options.show.renderer.progress = bar.report();
    viewer = std::make_unique<Viewer>(std::move(options));
  }
  const Show& show = viewer->show();
  remark_warnings(show.scene().warnings);
  if (const std::string remarks = show.remarks(); !remarks.empty()) remark("note: " + remarks);
  if (!is_loopback(r.listens_at.host))
    remark("warning: --bind " + r.listens_at.host +
           ": everybody who can reach this machine and learns the address can use the viewer, and "
           "others can read what is sent; a tunnel (ssh -L) is safer");
  const auto stop = [&] {
    viewer->stop();
    server.stop();
  };
  viewer->on_stop = stop;
  when_interrupted(stop);
  const std::string address = "http://" +
                              (r.listens_at.host == "0.0.0.0" ? "127.0.0.1" : r.listens_at.host) +
                              ":" + std::to_string(server.port()) + "/?token=" + token;
  print(show.scene().name + " (" + counted(show.scene().triangle_count(), "triangle") + ") on " +
        show.device() + ", to be seen at\n\n  " + address + "\n\nCtrl-C ends the viewer.\n");
  std::optional<OpenedPage> opened;
  if (!r.stays_closed) opened.emplace(address);
  server.serve();
  when_interrupted({});
  print("The viewer has ended.\n");
  return 0;
}

/// Returns `row`, which now also appends its words to `words`. The page shows them in command
/// lines.
Option noted(Option row, std::vector<std::string>& words) {
  row.set = [set = row.set, is_flag = row.is_flag(), &words](const std::string& name,
                                                             const std::string& text) {
    set(name, text);
    words.push_back(name);
    if (!is_flag) words.push_back(text);
  };
  return row;
}

}  // namespace

Command view_command() {
  const auto r = std::make_shared<ViewRequest>();
  const std::string where = "Where", page = "The page";
  std::vector<Option> table = {scene_file_option(r->scene, "What")};
  const std::vector<Option> of_world = world_options(r->scene);
  for (Option& row : picture_scene_options(r->scene)) {
    // The page itself adds the camera and the exposure to command lines.
    const bool stays = row.name != "--exposure" && row.name != "--strict" &&
                       std::any_of(of_world.begin(), of_world.end(),
                                   [&](const Option& other) { return other.name == row.name; });
    table.push_back(noted(std::move(row), stays ? r->words : r->camera_words));
  }
  for (Option& row : moment_options(r->scene, "What"))
    table.push_back(noted(std::move(row), r->words));
  const std::string of_files = "Cameras of files";
  table.insert(
      table.end(),
      {{of_files, "--cameras", "PATH", "",
        "begin with a camera of transforms.json (NeRF), of COLMAP's cameras.txt and "
        "images.txt, or of a folder with them",
        set_text(r->cameras)},
       {of_files, "--camera", "NAME", "the first", "which of them", set_text(r->camera)},
       {of_files, "--size", "WxH", "640x360",
        "size of the picture that --intrinsics belongs to, or of --cameras whose file has "
        "none; the page shows the same height in a window of any shape",
        [r, set = set_size(r->width, r->height)](const std::string& name, const std::string& text) {
          set(name, text);
          r->has_size = true;
        }}});
  const std::vector<Option> rest = {
      cast_option(where, "device", r->casting, "device that draws: "),
      cast_option(where, "layout", r->casting),
      cast_option(where, "builder", r->casting),
      cast_option(where, "max_memory", r->casting),
      {page, "--port", "N", "a free one", "the port at which the page is served",
       set_count(r->port, 1, 65535)},
      {page, "--bind", "ADDRESS", r->listens_at.host,
       "the address of this machine at which others can reach the page; by default only this "
       "machine can",
       set_text(r->listens_at.host)},
      {page, "--no-open", "", "", "print the address only; do not open a browser",
       set_flag(r->stays_closed)},
      {page, "--suite", "FILE.json", "", "a suite to which the page can add cases",
       set_text(r->suite)}};
  table.insert(table.end(), rest.begin(), rest.end());
  return {"view", "opens a page to look around in a scene", table, [r] { return view(*r); }};
}

}  // namespace ballotcast::detail
