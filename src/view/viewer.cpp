#include "view/viewer.hpp"

#include <cstring>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/threads.hpp"
#include "bvh/layouts/children.hpp"
#include "image/codec.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/page.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "view/facts.hpp"

namespace ballotcast::detail {

/// The files of page/, which tools/cmake/embed.cmake embeds in the program. They contain the
/// placeholders {{title}} and {{token}}.
extern const PageFiles kViewPage;

namespace {

/// The most pixels in a picture that emulated lanes draw, which are slow.
constexpr u32 kMostEmulatedPixels = 128 * 128;

HttpResponse as_json(const Json& json) {
  return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

/// Parses a request that is answered quickly: threads that refine a picture let it go first.
PictureRequest urgent_request_in(const UrlQuery& query) {
  PictureRequest request = request_in(query);
  request.urgent = true;
  return request;
}

std::pair<u32, u32> pixel_in(const UrlQuery& query, const PictureRequest& request) {
  const auto pixel = query.pair("pixel", ',', 0, ~0u);
  if (!pixel || pixel->first >= request.settings.width || pixel->second >= request.settings.height)
    throw UsageError("parameter pixel needs a column and a row of the picture");
  return *pixel;
}

/// The up direction of cameras that the command line gives by eye and look-at, and not by a pose.
Vec3d up_without_pose(const Show& show) {
  const SceneData& scene = show.scene();
  if (const auto& up = show.options().scene.up) return *up;
  return scene.camera ? scene.camera->up : Vec3d(up_of(scene));
}

/// `text` without the path of the folder of uploaded files.
std::string without(std::string text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != text.npos;)
    text.erase(at, folder.size());
  return text;
}

}  // namespace

Viewer::Viewer(ViewerOptions options)
    : options_(std::move(options)), show_(std::make_unique<Show>(options_.show)) {
  options_.command_line.up = up_without_pose(*show_);
  options_.command_line.animated = show_->is_animated();
}

Show::Stop Viewer::stop_for(const PictureRequest& request, const HttpRequest& http) const {
  return [this, request, &http] {
    return stopping_ || http.is_left() ||
           (!request.urgent &&
            (newest_.is_old(request.page, request.number) || queue_.urgent_waits()));
  };
}

void Viewer::in_queue(PictureRequest& request, const HttpRequest& http,
                      const std::function<void(Renderer&)>& work) {
  if (!newest_.note(request.page, request.number)) throw Stopped();
  const WorkQueue::Lock lock(queue_, request.urgent);
  const Show::Stop stop = stop_for(request, http);
  if (stopping_ || newest_.is_old(request.page, request.number)) throw Stopped();
  show_->add_projection_of_options(request.settings.camera);
  show_->use(request, stop, work);
}

HttpResponse Viewer::answer_in_queue(PictureRequest& request, const HttpRequest& http,
                                     const std::function<HttpResponse(Renderer&)>& work) {
  HttpResponse answer;
  in_queue(request, http, [&](Renderer& renderer) { answer = work(renderer); });
  return answer;
}

HttpResponse Viewer::page() const {
  return {200,
          "text/html; charset=utf-8",
          filled_page(kViewPage, {{"title", escaped_html("Ballotcast")},
                                  {"token", escaped_html(options_.token)}}),
          {}};
}

HttpResponse Viewer::picture(const HttpRequest& http) {
  PictureRequest request = request_in(http.query);
  if (request.device() == "emulated" &&
      u64{request.settings.width} * request.settings.height > kMostEmulatedPixels)
    throw UsageError("emulated lanes draw at most " + grouped(kMostEmulatedPixels) +
                     " pixels here");
  Frame frame;
  Json facts;
  const Stopwatch since_asked;
  in_queue(request, http, [&](Renderer& renderer) {
    const double waited_ms = since_asked.milliseconds();
    const Stopwatch watch;
    frame = renderer.render(request.settings);
    facts = facts_of(request, renderer, frame, watch.milliseconds());
    facts["waited_ms"] = waited_ms;
    facts["remarks"] = show_->remarks();
    facts["scene"] = scene_number_;
  });
  // Encodes this picture while the next one is drawn.
  const Stopwatch watch;
  const std::vector<u8> bytes = request.sending.jpeg
                                    ? encode_jpeg(frame.image, request.sending.quality)
                                    : encode_png(frame.image);
  facts["encode_ms"] = watch.milliseconds();
  return {200,
          request.sending.jpeg ? "image/jpeg" : "image/png",
          std::string(bytes.begin(), bytes.end()),
          {{"X-Ballotcast-Facts", facts.dump(-1, ' ', true)}}};
}

HttpResponse Viewer::facts(const HttpRequest& http) {
  http.query.require_only({"token"});
  PictureRequest request = urgent_request_in(http.query);
  return answer_in_queue(request, http,
                         [&](Renderer& renderer) { return as_json(facts_of_show(renderer)); });
}

HttpResponse Viewer::boxes(const HttpRequest& http) {
  PictureRequest request = urgent_request_in(http.query);
  const u32 level = http.query.count("level", 0, kDeepestLevel).value_or(0);
  return answer_in_queue(request, http, [&](Renderer& renderer) {
    const LevelOfBoxes found = boxes_of_level(renderer, level);
    std::string bytes(found.boxes.size() * sizeof(Aabb), '\0');
    static_assert(sizeof(Aabb) == 6 * sizeof(float));
    if (!bytes.empty()) std::memcpy(bytes.data(), found.boxes.data(), bytes.size());
    return HttpResponse{
        200,
        "application/octet-stream",
        std::move(bytes),
        {{"X-Ballotcast-Facts", Json({{"level", found.level}, {"whole", found.whole}}).dump()}}};
  });
}

HttpResponse Viewer::explain(const HttpRequest& http) {
  PictureRequest request = urgent_request_in(http.query);
  const std::pair<u32, u32> pixel = pixel_in(http.query, request);
  return answer_in_queue(request, http, [&](Renderer& renderer) {
    return as_json(explained_pixel(renderer, request.settings, pixel.first, pixel.second));
  });
}

HttpResponse Viewer::lanes(const HttpRequest& http) {
  PictureRequest request = urgent_request_in(http.query);
  request.machine_and_tree["device"] = "emulated";
  const std::pair<u32, u32> pixel = pixel_in(http.query, request);
  return answer_in_queue(request, http, [&](Renderer& renderer) {
    return as_json(lanes_of_block(renderer, request.settings, pixel.first, pixel.second));
  });
}

void Viewer::name_tree(PictureRequest& request) const {
  const CastSettings own{options_.show.renderer}, preset;
  for (const CastSetting& row : cast_settings())
    if (row.part == CastPart::tree && row.text(own) != row.text(preset))
      request.machine_and_tree.emplace(row.key, row.text(own));
}

HttpResponse Viewer::take(const HttpRequest& http) {
  PictureRequest request = urgent_request_in(http.query);
  name_tree(request);
  return answer_in_queue(request, http, [&](Renderer& renderer) {
    const RenderSettings settings = renderer.resolved(request.settings);
    Json json;
    const auto add = [&](const char* key, const auto& make) {
      try {
        json[key] = {{"text", make()}};
      } catch (const UsageError& error) {
        json[key] = {{"why_not", error.what()}};
      }
    };
    add("command", [&] { return render_command_for(options_.command_line, request, settings); });
    add("scene", [&] { return scene_file_for(options_.command_line, request, settings); });
    add("case", [&] {
      const std::string name = http.query.has("name") ? http.query.text("name") : "view";
      return laid_out(suite_case_for(options_.command_line, request, settings, name,
                                     options_.suite.empty() ? "suite.json" : options_.suite));
    });
    json["suite"] = options_.suite;
    return as_json(json);
  });
}

HttpResponse Viewer::add_case(const HttpRequest& http) {
  if (options_.suite.empty())
    throw UsageError("start `ballotcast view` with --suite FILE to add cases to a suite");
  PictureRequest request = urgent_request_in(http.query);
  name_tree(request);
  return answer_in_queue(request, http, [&](Renderer& renderer) {
    const RenderSettings settings = renderer.resolved(request.settings);
    add_to_suite(options_.suite, suite_case_for(options_.command_line, request, settings,
                                                http.query.text("name"), options_.suite));
    return as_json({{"added", http.query.text("name")}, {"suite", options_.suite}});
  });
}

BodySink Viewer::body(const HttpRequest& http) {
  if (http.path != "/file")
    return [](const char*, std::size_t) { throw InputError("this request has no body"); };
  http.query.require_only({"token", "page", "name", "first"});
  return uploads_.add(http.query.text("page"), http.query.text("name"), http.query.has("first"));
}

HttpResponse Viewer::open(const HttpRequest& http) {
  http.query.require_only({"token", "page"});
  const std::shared_ptr<Upload> upload = uploads_.take(http.query.text("page"));
  const WorkQueue::Lock lock(queue_, true);
  Json facts;
  try {
    const OnlyFilesBelow only(upload->folder());
    ShowOptions options = options_.show;
    options.scene = upload->request();
    options.camera = {};
    options.renderer.device = show_->options().renderer.device;
    std::unique_ptr<Show> show;
    const auto is_left = [&] { return stopping_ || http.is_left(); };
    stoppable(is_left, [&] { show = std::make_unique<Show>(options); });
    options_.command_line = {options_.command_line.program, "",   {},
                             up_without_pose(*show),        true, show->is_animated()};
    show_ = std::move(show);
  } catch (const InputError& error) {
    throw InputError(without(error.what(), upload->folder()));
  }
  shown_files_ = upload;
  ++scene_number_;
  show_->use(
      {}, [&] { return stopping_.load(); },
      [&](Renderer& renderer) { facts = facts_of_show(renderer); });
  return as_json(facts);
}

Json Viewer::facts_of_show(Renderer& renderer) const {
  Json facts = facts_of(*show_, renderer);
  facts["scene"] = scene_number_;
  if (shown_files_)
    for (const char* key : {"files", "warnings"})
      for (Json& text : facts[key]) text = without(text.get<std::string>(), shown_files_->folder());
  return facts;
}

HttpResponse Viewer::answer(const HttpRequest& http) {
  const std::string& path = http.path;
  if (http.method == "POST") {
    if (path == "/suite") return add_case(http);
    if (path == "/file") return as_json({{"stored", http.query.text("name")}});
    if (path == "/open") return open(http);
    if (path == "/stop") {
      on_stop();
      return as_json({{"stopped", true}});
    }
  } else {
    if (path == "/") return page();
    if (path == "/facts") return facts(http);
    if (path == "/picture") return picture(http);
    if (path == "/boxes") return boxes(http);
    if (path == "/explain") return explain(http);
    if (path == "/lanes") return lanes(http);
    if (path == "/take") return take(http);
  }
  return {404, HttpResponse{}.type, "there is nothing at " + quoted_name(path), {}};
}

}  // namespace ballotcast::detail
