#include "backends/device/backend.hpp"
#include "backends/device/device_choice.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "kernels/parts/route.hpp"
#include "render/internals.hpp"
#include "render/setting_tables.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The rows of a table as the items of a menu.
template <class Rows>
std::vector<Choice> menu_of(const Rows& rows) {
  std::vector<Choice> menu;
  for (const auto& row : rows) menu.push_back({std::string(row.name), std::string(row.summary)});
  return menu;
}

std::vector<Choice> with_auto(std::vector<Choice> menu) {
  menu.insert(menu.begin(), {"auto", "the program chooses"});
  return menu;
}

/// Completes the row of a setting that is the name of one of `rows`, or auto.
template <class Member, class Rows>
CastSetting named_row(CastSetting row, Member member, std::string_view kind, const Rows& rows) {
  std::vector<std::string_view> known = names_of(rows, "auto");
  row.values = joined(known);
  row.all = names_of(rows);
  row.menu = with_auto(menu_of(rows));
  return text_row(std::move(row), member, one_of(kind, std::move(known)));
}

CastSetting strict_row() {
  CastSetting row{
      {"strict-devices", "strict_devices", "", "",
       "with several machines: if one fails, end with an error; else the others do its work"},
      CastPart::machine};
  row.set = [](CastSettings& s, const std::string&, const std::string& text) {
    require_known("strict_devices", {text}, {"", "on", "off"});  // "" is the option without a value
    s.renderer.strict_devices = text != "off";
  };
  row.text = [](const CastSettings& s) { return s.renderer.strict_devices ? "on" : "off"; };
  return row;
}

CastSetting memory_row() {
  CastSetting row{
      {"max-memory", "max_memory", "SIZE", "all free memory of a GPU",
       "limit of device memory, e.g. 512M or 2G; with less, fewer rays are processed at a time"},
      CastPart::machine};
  row.type = SettingType::count;
  row.set = [](CastSettings& s, const std::string& shown_name, const std::string& text) {
    s.renderer.max_memory = bytes_in(shown_name, text);
  };
  row.text = [](const CastSettings& s) {
    return s.renderer.max_memory ? std::to_string(*s.renderer.max_memory) : "";
  };
  return row;
}

CastSetting partition_row() {
  CastSetting row{
      {"partition", "partition", "auto|N", "",
       "cut the scene into N parts, of which each machine holds some; auto: as many as there are "
       "machines, if the scene takes more than three quarters of the memory of one"},
      CastPart::machine};
  row.type = SettingType::count;
  row.set = [](CastSettings& s, const std::string& shown_name, const std::string& text) {
    const u32 count = text == "auto" ? 0 : parsed<u32>(text).value_or(kMostParts + 1);
    if (count > kMostParts || (count == 0 && text != "auto"))
      refuse_setting(shown_name,
                     "auto or a number of parts from 1 to " + std::to_string(kMostParts), text);
    s.renderer.partition = count;
  };
  row.text = [](const CastSettings& s) {
    return s.renderer.partition == 0 ? "auto" : std::to_string(s.renderer.partition);
  };
  row.chosen = [](const Renderer& renderer) {
    return std::to_string(std::max<std::size_t>(1, parts_of(renderer).size()));
  };
  return row;
}

CastSetting block_row() {
  CastSetting row{{"block-size", "block_size", "N", "",
                   std::string("lanes per block, ") + kBlockSizes + "; ignored by pipeline warp",
                   SettingType::count},
                  CastPart::kernels,
                  "",
                  {"32", "256", "1024"},
                  true};
  for (u32 size = kWarpSize; size <= kLargestBlock; size *= 2)
    row.menu.push_back({std::to_string(size), ""});
  row.set = [](CastSettings& s, const std::string& shown_name, const std::string& text) {
    const u32 size = parsed<u32>(text).value_or(0);
    if (!is_block_size(size)) refuse_setting(shown_name, kBlockSizes, text);
    s.cast.block_size = size;
  };
  row.text = [](const CastSettings& s) { return std::to_string(s.cast.block_size); };
  return row;
}

CastSetting device_row() {
  CastSetting row{{"device", "device", "NAME", "", "where to cast: "},
                  CastPart::machine,
                  joined(names_of(backends(), "auto")) +
                      "; several machines share the work: cuda:0,2 or cuda:all or cuda:all+cpu",
                  names_of(backends()),
                  true};
  row.chosen = [](const Renderer& renderer) { return renderer.device(); };
  return text_row(
      std::move(row), [](auto& s) -> auto& { return s.renderer.device; },
      [](const std::string&, const std::string& text) { listed_machines(text); });
}

CastSetting loop_row() {
  CastSetting row{{"loop", "loop", "NAME", "", "who reads the counter: "},
                  CastPart::kernels,
                  "auto, host, host:K (every K passes), graph (the GPU)"};
  row.menu = with_auto({{"host", "the CPU, after each pass"},
                        {"host:4", "the CPU, after every fourth pass"},
                        {"graph", "the GPU"}});
  return text_row(
      std::move(row), [](auto& s) -> auto& { return s.cast.loop; },
      [](const std::string&, const std::string& text) {
        CastOptions options;
        options.loop = text;
        CastChoice{options};
      });
}

CastSetting layout_row() {
  CastSetting row{
      {"layout", "layout", "NAME", "", "the tree in memory: "}, CastPart::tree, "", {}, true};
  row.chosen = [](const Renderer& renderer) {
    return std::string(prepared_of(renderer).encoded.layout->name);
  };
  return named_row(
      std::move(row), [](auto& s) -> auto& { return s.renderer.layout; }, "layout", layouts());
}

CastSetting builder_row() {
  CastSetting row{{"build", "builder", "NAME", "", "how the tree is built: "},
                  CastPart::tree,
                  joined(builder_names()) + "; rounds of moves may follow: ploc-reinserted/12"};
  row.menu = ballotcast::builders();
  row.chosen = [](const Renderer& renderer) { return prepared_of(renderer).builder.name(); };
  return text_row(
      std::move(row), [](auto& s) -> auto& { return s.renderer.builder; },
      [](const std::string&, const std::string& text) { builder_called(text); });
}

std::vector<CastSetting> cast_table() {
  using enum CastPart;
  return {
      device_row(),
      strict_row(),
      memory_row(),
      partition_row(),
      named_row(
          {{"pipeline", "pipeline", "NAME", "", "how kernels take turns: "}, kernels, "", {}, true},
          [](auto& s) -> auto& { return s.cast.pipeline; }, "pipeline", pipelines()),
      named_row(
          {{"atomics", "atomics", "NAME", "", "how lanes report staged leaves: "},
           kernels,
           "",
           {},
           true},
          [](auto& s) -> auto& { return s.cast.atomics; }, "strategy", strategies()),
      loop_row(),
      named_row(
          {{"order", "order", "NAME", "",
            "the order of queues; pipelines other than queue have none: "},
           kernels},
          [](auto& s) -> auto& { return s.cast.order; }, "order", queue_orders()),
      layout_row(),
      builder_row(),
      block_row(),
      integer_row(
          CastSetting{{"threads", "threads", "N", "all cores", "threads of the CPU"}, machine},
          &CastSettings::threads, 1, kMostThreads),
  };
}

}  // namespace

const std::vector<CastSetting>& cast_settings() {
  static const std::vector<CastSetting> all = cast_table();
  return all;
}

CastSettings settings_used(const Renderer& renderer, CastSettings settings) {
  for (const CastSetting& row : cast_settings())
    if (row.chosen) row.set(settings, "it", row.chosen(renderer));
  return settings;
}

std::string renderer_key(const CastSettings& settings) {
  std::string key;
  for (const CastSetting& row : cast_settings())
    if (row.part != CastPart::kernels) key += row.text(settings) + "\n";
  return key;
}

const CastSetting& cast_setting(std::string_view key) { return row_with_key(cast_settings(), key); }

}  // namespace ballotcast::detail
