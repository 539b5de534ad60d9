// Tests the decisions of the viewer: who may send requests, what a request asks for, and which work
// is done next.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/renderer.hpp"
#include "render/setting_tables.hpp"
#include "scene/gltf_text.hpp"
#include "support/json.hpp"
#include "support/temp_dir.hpp"
#include "view/export.hpp"
#include "view/facts.hpp"
#include "view/request.hpp"
#include "view/request_queue.hpp"
#include "view/server.hpp"
#include "view/show.hpp"
#include "view/uploads.hpp"

namespace ballotcast::detail {
namespace view_test {

PictureRequest request_of(UrlQuery::Values values) {
  return request_in(UrlQuery(std::move(values)));
}

TEST(Address, is_taken_apart_and_decoded) {
  const Address address = parsed_address("/a%20b?eye=1,2,3&name=x+y%26z&moving&empty=");
  EXPECT_EQ(address.path, "/a b");
  EXPECT_EQ(address.values,
            (UrlQuery::Values{{"eye", "1,2,3"}, {"name", "x y&z"}, {"moving", ""}, {"empty", ""}}));
  EXPECT_THROW(parsed_address("/?a=1&a=2"), UsageError);
  for (const char* bad : {"/?a=%", "/?a=%4", "/?a=%zz", "/%g1"})
    EXPECT_THROW(parsed_address(bad), UsageError) << bad;
}

TEST(UrlQuery, gives_values_or_says_what_is_wrong) {
  const UrlQuery query(
      {{"n", "12"}, {"x", "-0.5"}, {"v", "1,2e3,-0"}, {"s", "640x360"}, {"t", "a b"}});
  EXPECT_EQ(query.count("n", 0, 12), 12u);
  EXPECT_EQ(query.number("x", -1, 1), -0.5);
  EXPECT_EQ(query.vector("v"), (Vec3d{1, 2000, 0}));
  EXPECT_FALSE(std::signbit(query.vector("v")->z));
  EXPECT_EQ(query.pair("s", 'x', 1, 1000), (std::pair<u32, u32>{640, 360}));
  EXPECT_EQ(query.text("t"), "a b");
  EXPECT_FALSE(query.count("absent", 0, 9));
  EXPECT_THROW(query.count("n", 0, 11), UsageError);
  EXPECT_THROW(query.count("x", 0, 9), UsageError);
  EXPECT_THROW(query.number("t", 0, 9), UsageError);
  EXPECT_THROW(query.vector("s"), UsageError);
  EXPECT_THROW(query.pair("s", 'x', 1, 639), UsageError);
  EXPECT_THROW(query.require_only({"n", "x", "v", "s"}), UsageError);
  for (const char* bad : {"", "1,2", "1,2,3,4", "1,2,nan", "1,2,inf", "1,2,1e31", "1,,3", " 1,2,3"})
    EXPECT_THROW(UrlQuery(UrlQuery::Values{{"v", bad}}).vector("v"), UsageError) << bad;
}

TEST(PictureRequest, is_what_the_parameters_state) {
  const PictureRequest request = request_of({{"size", "320x180"},
                                             {"spp", "16"},
                                             {"shade", "normal"},
                                             {"eye", "1,2,3"},
                                             {"fov", "50"},
                                             {"atomics", "naive"},
                                             {"pipeline", "passes"},
                                             {"format", "jpeg"},
                                             {"page", std::string(100, 'p')},
                                             {"number", "7"},
                                             {"moving", "1"}});
  EXPECT_EQ(request.settings.width, 320u);
  EXPECT_EQ(request.settings.height, 180u);
  EXPECT_EQ(request.settings.samples, 16u);
  EXPECT_EQ(request.settings.shading, "normal");
  EXPECT_EQ(request.settings.camera.eye, (Vec3d{1, 2, 3}));
  EXPECT_FALSE(request.settings.camera.look_at);
  EXPECT_EQ(request.settings.cast.atomics, "naive");
  EXPECT_TRUE(request.sending.jpeg);
  EXPECT_LE(request.page.size(), 40u);
  EXPECT_EQ(request.number, 7u);
  EXPECT_TRUE(request.urgent);
  EXPECT_FALSE(request_of({}).urgent);
}

TEST(PictureRequest, may_state_every_setting) {
  for (const PictureSetting& row : picture_settings())
    EXPECT_NO_THROW(request_of({{std::string(row.name), ""}})) << row.name;
  EXPECT_EQ(
      picture_setting("background").text(request_of({{"background", "transparent"}}).settings),
      "transparent");
  EXPECT_THROW(request_of({{"color", "red"}}), UsageError);
}

TEST(PictureRequest, is_refused_if_it_would_take_too_much) {
  EXPECT_NO_THROW(request_of({{"size", "4096x4096"}, {"spp", "256"}}));
  EXPECT_THROW(request_of({{"size", "4096x4097"}}), UsageError);
  EXPECT_THROW(request_of({{"size", "4096x4096"}, {"spp", "257"}}), UsageError);
  EXPECT_THROW(request_of({{"size", "9x9"}, {"spp", "4097"}}), UsageError);
  EXPECT_THROW(request_of({{"bounces", "17"}}), UsageError);
  EXPECT_THROW(request_of({{"format", "gif"}}), UsageError);
  EXPECT_THROW(request_of({{"smooth", "much"}}), UsageError);
}

TEST(Guard, lets_in_who_has_the_token_and_comes_from_here) {
  const std::string token = new_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_NE(token, new_token());
  const Guard guard(token, false);
  EXPECT_EQ(guard.refuses({token, "127.0.0.1:8000", ""}), "");
  EXPECT_EQ(guard.refuses({token, "localhost:9", "http://localhost:9"}), "");
  for (const Caller& bad : {Caller{"", "127.0.0.1:8000", ""},
                            {token + "0", "127.0.0.1:8000", ""},
                            {token.substr(1), "127.0.0.1:8000", ""},
                            {token, "", ""},
                            {token, "evil.example", ""},
                            {token, "127.0.0.1.evil.example:8000", ""},
                            {token, "127.0.0.1:8000", "http://evil.example"},
                            {token, "127.0.0.1:8000", "null"},
                            {token, "127.0.0.1:8000", "http://127.0.0.1:8001"}})
    EXPECT_NE(guard.refuses(bad), "") << bad.token << " " << bad.host << " " << bad.origin;
  const Guard open(token, true);
  EXPECT_EQ(open.refuses({token, "gpu-box:8000", "http://gpu-box:8000"}), "");
  EXPECT_NE(open.refuses({token, "gpu-box:8000", "http://evil.example"}), "");
}

TEST(WorkQueue, give_way_to_urgent_waiters) {
  using namespace std::chrono_literals;
  WorkQueue queue;
  std::vector<std::string> order;
  std::vector<std::thread> waiters;
  {
    const WorkQueue::Lock first(queue, false);
    EXPECT_FALSE(queue.urgent_waits());
    for (const auto& [name, urgent] :
         std::vector<std::pair<std::string, bool>>{{"a", false}, {"b", true}, {"c", false}}) {
      waiters.emplace_back([&queue, &order, name, urgent] {
        const WorkQueue::Lock lock(queue, urgent);
        order.push_back(name);
      });
      std::this_thread::sleep_for(30ms);  // so that the threads wait in this order
    }
    EXPECT_TRUE(queue.urgent_waits());
  }
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(order, (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_FALSE(queue.urgent_waits());
}

TEST(NewestRequests, know_what_nobody_waits_for) {
  NewestRequests newest;
  EXPECT_TRUE(newest.note("p", 1));
  EXPECT_FALSE(newest.is_old("p", 1));
  EXPECT_TRUE(newest.note("p", 2));
  EXPECT_TRUE(newest.is_old("p", 1));
  EXPECT_FALSE(newest.is_old("p", 2));
  EXPECT_FALSE(newest.note("p", 1));
  EXPECT_FALSE(newest.is_old("q", 1));
  EXPECT_TRUE(newest.note("", 9));
  EXPECT_FALSE(newest.is_old("", 1));
  // Only the newest pages are remembered, however many there are.
  for (u32 i = 0; i < 1000; ++i) newest.note("page" + std::to_string(i), 5);
  EXPECT_FALSE(newest.is_old("p", 1));
}

TEST(Upload, stays_in_its_folder) {
  const auto upload = std::make_shared<Upload>();
  const std::string long_part = "a/" + std::string(300, 'b') + "/c.obj";
  for (const char* bad : {long_part.c_str(), "", ".", "..", "../a.obj", "a/../b.obj", "/a.obj",
                          "a/", "a\nb", "a/./b"})
    EXPECT_THROW(Upload::add(upload, bad), UsageError) << bad;
  Upload::add(upload, "a/b.obj")("v", 1);
  EXPECT_THROW(Upload::add(upload, "a/b.obj"), UsageError);
  EXPECT_THROW(Upload::add(upload, "a/b.obj/c"), OutputError);
  EXPECT_EQ(upload->request().file, upload->folder() + "a/b.obj");
  Upload::add(upload, "C.PLY");
  EXPECT_EQ(upload->request().file, "");
  EXPECT_EQ(upload->request().meshes.size(), 2u);
  Upload::add(upload, "scene.json");
  EXPECT_EQ(upload->request().file, upload->folder() + "scene.json");
  Upload::add(upload, "other.json");
  EXPECT_THROW(upload->request(), InputError);
  EXPECT_THROW(Upload().request(), InputError);
}

TEST(Uploads, are_one_per_page_and_live_as_long_as_somebody_writes) {
  Uploads uploads;
  EXPECT_THROW(uploads.take("p"), UsageError);
  {
    const BodySink late = uploads.add("p", "a.obj", true);
    uploads.add("q", "a.obj", true)("v", 1);
    EXPECT_THROW(uploads.take("p"), UsageError) << "a file is on its way";
    uploads.add("p", "b.obj", true)("v", 1);  // begins a new upload
    late("v", 1);  // a late part of the old upload, whose files nobody will open
  }
  EXPECT_EQ(uploads.take("p")->request().file.substr(uploads.take("q")->folder().size()), "b.obj");
  for (int i = 0; i < 20; ++i) uploads.add("page" + std::to_string(i), "a.obj", false);
  int left = 0;
  for (int i = 0; i < 20; ++i) try {
      uploads.take("page" + std::to_string(i));
      ++left;
    } catch (const UsageError&) {
    }
  EXPECT_EQ(left, 8);
}

RenderSettings whole_settings() {
  RenderSettings settings;
  settings.camera = Camera{{0.1, 2, 3}, {0, 0, 0}, {0, 1, 0}, 40.0};
  settings.shading = "lit";
  settings.samples = 4;
  settings.exposure = 0.1f;
  settings.white_balance = "auto";
  settings.light = "scene";
  return settings;
}

TEST(Export, quotes_the_words_of_a_command) {
  const SceneOnCommandLine scene{"ballotcast", "a room's.obj", {"--mesh", "b c.obj"}, {0, 1, 0}};
  const std::string line = render_command_for(scene, {}, whole_settings());
  EXPECT_NE(line.find("ballotcast render 'a room'"), line.npos) << line;
  EXPECT_NE(line.find(" --mesh 'b c.obj' "), line.npos) << line;
  EXPECT_NE(line.find(" --eye 0.1,2.0,3.0 "), line.npos) << line;
  EXPECT_NE(line.find(" --exposure 0.1 "), line.npos) << line;
  EXPECT_EQ(line.find("--up"), line.npos) << "it would turn the sky, too: " << line;
  PictureRequest later;
  later.frame = 7;
  const std::string seventh = render_command_for(scene, later, whole_settings());
  EXPECT_NE(seventh.find(" --frames 7..7 -o view-%d.png"), seventh.npos) << seventh;
  const std::string dash = render_command_for({"b", "-a.obj", {}, {0, 1, 0}}, {}, whole_settings());
  EXPECT_NE(dash.find("render ./-a.obj "), dash.npos) << dash;
}

TEST(Export, says_what_can_not_be_taken) {
  const RenderSettings settings = whole_settings();
  EXPECT_THROW(scene_file_for({"b", "", {}, {}}, {}, settings), UsageError);
  EXPECT_THROW(scene_file_for({"b", "a.obj", {"--sun-strength", "3"}, {}}, {}, settings),
               UsageError);
  EXPECT_THROW(suite_case_for({"b", "a.obj", {}, {}, true}, {}, settings, "x", "s.json"),
               UsageError);
  EXPECT_THROW(render_command_for({"b", "", {}, {0, 1, 0}, true}, {}, settings), UsageError);
  const std::string posed = render_command_for({"b", "a.obj", {}, {0, 0, 1}}, {}, settings);
  EXPECT_NE(posed.find(" --pose "), posed.npos) << "it has an up of its own: " << posed;
  PictureRequest later;
  later.frame = 3;
  EXPECT_THROW(scene_file_for({"b", "a.json", {}, {}}, later, settings), UsageError);
  EXPECT_THROW(suite_case_for({"b", "a.json", {}, {}}, later, settings, "x", "s.json"), UsageError);
}

TEST(Show, plays_the_animations_of_a_mesh) {
  TempDir dir;
  ShowOptions options;
  options.scene.file = dir.write("a.gltf", testing::turning_triangle());
  options.renderer.device = "cpu";
  Show show(options);
  EXPECT_TRUE(show.is_animated());
  EXPECT_EQ(show.last_frame(), 24u);
  PictureRequest request;
  request.frame = 12;
  SceneRequest alone = options.scene;
  alone.frame = 12;
  request.settings.width = request.settings.height = 16;
  request.settings.samples = 1;
  std::string pixels;
  show.use(
      request, [] { return false; },
      [&](Renderer& renderer) { pixels = hash_of(renderer.render(request.settings).image); });
  Renderer renderer(load_scene(alone), options.renderer);
  EXPECT_EQ(pixels, hash_of(renderer.render(request.settings).image));
  options.scene.animation = "none";
  EXPECT_EQ(Show(options).last_frame(), 0u);
}

TEST(Show, takes_its_own_renderer_for_what_it_has_chosen_itself) {
  ShowOptions options;
  options.renderer.device = "cpu";
  Show show(options);
  const auto renderer_for = [&](UrlQuery::Values values) {
    const Renderer* used = nullptr;
    show.use(
        request_of(std::move(values)), [] { return false; },
        [&](Renderer& renderer) { used = &renderer; });
    return used;
  };
  const Renderer* const own = renderer_for({});
  EXPECT_EQ(renderer_for({{"device", "cpu"}, {"layout", "grid2"}, {"build", "ploc-presplit"}}),
            own);
  const Renderer* const other = renderer_for({{"layout", "bvh2"}});
  EXPECT_NE(other, own);
  EXPECT_EQ(renderer_for({{"layout", "bvh2"}, {"pipeline", "queue"}}), other);
  EXPECT_NE(renderer_for({{"layout", "bvh2"}, {"build", "sbvh"}}), other);
}

TEST(Export, states_a_frame_of_whatever_is_animated) {
  SceneOnCommandLine scene{"ballotcast", "a.glb", {}, {0, 1, 0}};
  scene.animated = true;
  const RenderSettings settings = whole_settings();
  const std::string command = render_command_for(scene, {}, settings);
  EXPECT_NE(command.find(" --frames 0..0 -o view-%d.png"), command.npos) << command;
  EXPECT_TRUE(contains(message_of<UsageError>([&] { scene_file_for(scene, {}, settings); }),
                       "can't hold the time of an animation"));
}

TEST(Export, does_not_harm_a_suite) {
  const TempDir dir;
  const std::string path = dir.write("s.json", "{\"format\": \"something else\", \"cases\": []}");
  EXPECT_THROW(add_to_suite(path, {{"name", "x"}}), InputError);
  EXPECT_EQ(dir.entries(), 1u);
  const std::string fresh = dir / "fresh.json";
  add_to_suite(fresh, {{"name", "x"}});
  EXPECT_THROW(add_to_suite(fresh, {{"name", "x"}}), InputError);
  EXPECT_THROW(add_to_suite(fresh, {{"name", "y"}, {"colour", 1}}), InputError);
  EXPECT_EQ(dir.entries(), 2u);
}

TEST(Inside, levels_of_boxes_cover_the_levels_below) {
  for (const Choice& layout : ballotcast::layouts()) {
    RendererOptions options{"cpu"};
    options.layout = layout.name;
    const Renderer renderer(builtin_scene(), options);
    Aabb above;
    std::size_t count = 0;
    for (const u32 level : {0u, 1u, 2u, 5u, 8u}) {
      const LevelOfBoxes found = boxes_of_level(renderer, level);
      EXPECT_EQ(found.level, level);
      EXPECT_TRUE(found.whole);
      EXPECT_GT(found.boxes.size(), count);
      EXPECT_LE(found.boxes.size(), std::size_t{1} << level);
      count = found.boxes.size();
      Aabb all;
      for (const Aabb& box : found.boxes) all.include(box);
      const float slack = 0.01f * largest_magnitude(all.extent());
      if (level > 0) {
        EXPECT_LE(largest_magnitude(all.low - above.low), slack);
        EXPECT_LE(largest_magnitude(all.high - above.high), slack);
      }
      above = all;
    }
    const LevelOfBoxes deep = boxes_of_level(renderer, 62);
    EXPECT_LE(deep.boxes.size(), kMostBoxes);
    EXPECT_FALSE(deep.whole);
  }
}

}  // namespace view_test
}  // namespace ballotcast::detail
