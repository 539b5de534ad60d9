#include "view/viewer.hpp"

#include <cstring>

#include "ballotcast/renderer.hpp"
#include "ballotcast/threads.hpp"
#include "compare/suite/files.hpp"
#include "image/jpeg.hpp"
#include "support/error.hpp"
#include "support/json.hpp"
#include "support/open_file.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "view/facts.hpp"
#include "view/inside.hpp"
#include "view/page_files.hpp"

namespace ballotcast::detail {

namespace {

/// The most pixels of a picture that emulated lanes draw: they are slow.
constexpr u32 kMostEmulatedPixels = 128 * 128;

Answer as_json(const Json& json) {
  return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

/// The wish of a request that is answered quickly: whoever sharpens a picture gives way.
Wish urgent_wish_in(const UrlQuery& query) {
  Wish wish = wish_in(query);
  wish.urgent = true;
  return wish;
}

std::pair<u32, u32> pixel_in(const UrlQuery& query, const Wish& wish) {
  const auto pixel = query.pair("pixel", ',', 0, ~0u);
  if (!pixel || pixel->first >= wish.settings.width || pixel->second >= wish.settings.height)
    throw UsageError("parameter pixel needs a column and a row of the picture");
  return *pixel;
}

/// `text` without the name of the folder that sent files lie in.
std::string without(std::string text, const std::string& folder) {
  for (std::size_t at = 0; (at = text.find(folder, at)) != text.npos;)
    text.erase(at, folder.size());
  return text;
}

}  // namespace

Viewer::Viewer(ViewerOptions options)
    : options_(std::move(options)), show_(std::make_unique<Show>(options_.show)) {
  options_.stated.up = show_->first_camera().up;
}

Show::Stop Viewer::stop_for(const Wish& wish, const Asked& asked) const {
  return [this, wish, &asked] {
    return stopping_ || asked.is_left() ||
           (!wish.urgent && (newest_.is_old(wish.page, wish.number) || turns_.urgent_waits()));
  };
}

void Viewer::in_turn(const Wish& wish, const Asked& asked,
                     const std::function<void(Renderer&)>& work) {
  if (!newest_.note(wish.page, wish.number)) throw Stopped();
  const Turns::Turn turn(turns_, wish.urgent);
  const Show::Stop stop = stop_for(wish, asked);
  if (stopping_ || newest_.is_old(wish.page, wish.number)) throw Stopped();
  show_->use(wish, stop, work);
}

Answer Viewer::answer_in_turn(const Wish& wish, const Asked& asked,
                              const std::function<Answer(Renderer&)>& work) {
  Answer answer;
  in_turn(wish, asked, [&](Renderer& renderer) { answer = work(renderer); });
  return answer;
}

Answer Viewer::page() const {
  return {200,
          "text/html; charset=utf-8",
          filled_page(kViewPage, {{"title", escaped_html("Ballotcast")},
                                  {"token", escaped_html(options_.token)}}),
          {}};
}

Answer Viewer::picture(const Asked& asked) {
  const Wish wish = wish_in(asked.query);
  if (wish.device == "emulated" &&
      u64{wish.settings.width} * wish.settings.height > kMostEmulatedPixels)
    throw UsageError("emulated lanes draw at most " + grouped(kMostEmulatedPixels) +
                     " pixels here");
  Frame frame;
  Json facts;
  const Stopwatch since_asked;
  in_turn(wish, asked, [&](Renderer& renderer) {
    const double waited_ms = since_asked.milliseconds();
    const Stopwatch watch;
    frame = renderer.render(wish.settings);
    facts = facts_of(wish, renderer, frame, watch.milliseconds());
    facts["waited_ms"] = waited_ms;
    facts["remarks"] = show_->remarks();
    facts["scene"] = scene_number_;
  });
  // While this is encoded, the next picture is drawn.
  const Stopwatch watch;
  const std::vector<u8> bytes =
      wish.sending.jpeg ? encode_jpeg(frame.image, wish.sending.quality) : encode_png(frame.image);
  facts["encode_ms"] = watch.milliseconds();
  return {200,
          wish.sending.jpeg ? "image/jpeg" : "image/png",
          std::string(bytes.begin(), bytes.end()),
          {{"X-Ballotcast-Facts", facts.dump(-1, ' ', true)}}};
}

Answer Viewer::facts(const Asked& asked) {
  asked.query.require_only({"token"});
  return answer_in_turn(urgent_wish_in(asked.query), asked,
                        [&](Renderer& renderer) { return as_json(facts_of_show(renderer)); });
}

Answer Viewer::boxes(const Asked& asked) {
  const Wish wish = urgent_wish_in(asked.query);
  const u32 level = asked.query.count("level", 0, kDeepestLevel).value_or(0);
  return answer_in_turn(wish, asked, [&](Renderer& renderer) {
    const LevelOfBoxes found = boxes_of_level(renderer, level);
    std::string bytes(found.boxes.size() * sizeof(Aabb), '\0');
    static_assert(sizeof(Aabb) == 6 * sizeof(float));
    if (!bytes.empty()) std::memcpy(bytes.data(), found.boxes.data(), bytes.size());
    return Answer{
        200,
        "application/octet-stream",
        std::move(bytes),
        {{"X-Ballotcast-Facts", Json({{"level", found.level}, {"whole", found.whole}}).dump()}}};
  });
}

Answer Viewer::explain(const Asked& asked) {
  const Wish wish = urgent_wish_in(asked.query);
  const std::pair<u32, u32> pixel = pixel_in(asked.query, wish);
  return answer_in_turn(wish, asked, [&](Renderer& renderer) {
    return as_json(explained_pixel(renderer, wish.settings, pixel.first, pixel.second));
  });
}

Answer Viewer::lanes(const Asked& asked) {
  Wish wish = urgent_wish_in(asked.query);
  wish.device = "emulated";
  const std::pair<u32, u32> pixel = pixel_in(asked.query, wish);
  return answer_in_turn(wish, asked, [&](Renderer& renderer) {
    return as_json(lanes_of_block(renderer, wish.settings, pixel.first, pixel.second));
  });
}

void Viewer::state_tree(Wish& wish) const {
  const RendererOptions &own = options_.show.renderer, preset;
  if (wish.layout.empty() && own.layout != preset.layout) wish.layout = own.layout;
  if (wish.builder.empty() && own.builder != preset.builder) wish.builder = own.builder;
}

Answer Viewer::take(const Asked& asked) {
  Wish wish = urgent_wish_in(asked.query);
  state_tree(wish);
  return answer_in_turn(wish, asked, [&](Renderer& renderer) {
    const RenderSettings settings = renderer.resolved(wish.settings);
    Json json;
    const auto add = [&](const char* key, const auto& make) {
      try {
        json[key] = {{"text", make()}};
      } catch (const UsageError& error) {
        json[key] = {{"why_not", error.what()}};
      }
    };
    add("command", [&] { return render_command_for(options_.stated, wish, settings); });
    add("scene", [&] { return scene_file_for(options_.stated, wish, settings); });
    add("case", [&] {
      const std::string name = asked.query.has("name") ? asked.query.text("name") : "view";
      return laid_out(suite_case_for(options_.stated, wish, settings, name,
                                     options_.suite.empty() ? "suite.json" : options_.suite));
    });
    json["suite"] = options_.suite;
    return as_json(json);
  });
}

Answer Viewer::add_case(const Asked& asked) {
  if (options_.suite.empty())
    throw UsageError("start `ballotcast view` with --suite FILE to add cases to a suite");
  Wish wish = urgent_wish_in(asked.query);
  state_tree(wish);
  return answer_in_turn(wish, asked, [&](Renderer& renderer) {
    const RenderSettings settings = renderer.resolved(wish.settings);
    add_to_suite(options_.suite, suite_case_for(options_.stated, wish, settings,
                                                asked.query.text("name"), options_.suite));
    return as_json({{"added", asked.query.text("name")}, {"suite", options_.suite}});
  });
}

BodySink Viewer::body(const Asked& asked) {
  if (asked.path != "/file")
    return [](const char*, std::size_t) { throw InputError("this request has no body"); };
  asked.query.require_only({"token", "page", "name", "first"});
  return uploads_.add(asked.query.text("page"), asked.query.text("name"), asked.query.has("first"));
}

Answer Viewer::open(const Asked& asked) {
  asked.query.require_only({"token", "page"});
  const std::shared_ptr<Upload> upload = uploads_.take(asked.query.text("page"));
  const Turns::Turn turn(turns_, true);
  Json facts;
  try {
    const OnlyFilesBelow only(upload->folder());
    ShowOptions options = options_.show;
    options.scene = upload->request();
    options.camera = {};
    options.renderer.device = show_->options().renderer.device;
    std::unique_ptr<Show> show;
    const auto is_left = [&] { return stopping_ || asked.is_left(); };
    stoppable(is_left, [&] { show = std::make_unique<Show>(options); });
    options_.stated = {options_.stated.program, "", {}, show->first_camera().up, true};
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

Answer Viewer::answer(const Asked& asked) {
  const std::string& path = asked.path;
  if (asked.method == "POST") {
    if (path == "/suite") return add_case(asked);
    if (path == "/file") return as_json({{"stored", asked.query.text("name")}});
    if (path == "/open") return open(asked);
    if (path == "/stop") {
      on_stop();
      return as_json({{"stopped", true}});
    }
  } else {
    if (path == "/") return page();
    if (path == "/facts") return facts(asked);
    if (path == "/picture") return picture(asked);
    if (path == "/boxes") return boxes(asked);
    if (path == "/explain") return explain(asked);
    if (path == "/lanes") return lanes(asked);
    if (path == "/take") return take(asked);
  }
  return {404, Answer{}.type, "there is nothing at " + quoted_name(path), {}};
}

}  // namespace ballotcast::detail
