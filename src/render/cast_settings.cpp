#include "render/cast_settings.hpp"

#include "backends/device/backend.hpp"
#include "backends/device/device_choice.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "kernels/parts/route.hpp"
#include "render/internals.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The row of a member that holds one of `names`, or auto.
template <class Member>
CastSetting named_row(CastSetting row, Member member, std::string_view kind,
                      std::vector<std::string_view> names) {
  std::vector<std::string_view> known = names;
  known.insert(known.begin(), "auto");
  row.values = joined(known);
  row.all = std::move(names);
  return text_row(std::move(row), member, one_of(kind, std::move(known)));
}

CastSetting strict_row() {
  CastSetting row{
      {"strict-devices", "strict_devices", "", "",
       "with several machines: if one fails, end with an error; else the others do its work"},
      CastPart::machine};
  row.set = [](CastSettings& s, const std::string&, const std::string& text) {
    require_known("strict_devices", {text}, {"", "on", "off"});  // "": the option
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
  row.set = [](CastSettings& s, const std::string& who, const std::string& text) {
    s.renderer.max_memory = bytes_in(who, text);
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
  row.set = [](CastSettings& s, const std::string& who, const std::string& text) {
    const u32 count = text == "auto" ? 0 : parsed<u32>(text).value_or(kMostParts + 1);
    if (count > kMostParts || (count == 0 && text != "auto"))
      refuse_setting(who, "auto or a number of parts from 1 to " + std::to_string(kMostParts),
                     text);
    s.renderer.partition = count;
  };
  row.text = [](const CastSettings& s) {
    return s.renderer.partition == 0 ? "auto" : std::to_string(s.renderer.partition);
  };
  return row;
}

CastSetting block_row() {
  CastSetting row{{"block-size", "block_size", "N", "",
                   "lanes per block, a multiple of 32 from 32 to 1024; ignored by pipeline warp",
                   SettingType::count},
                  CastPart::kernels,
                  "",
                  {"32", "256", "1024"},
                  true};
  row.set = [](CastSettings& s, const std::string& who, const std::string& text) {
    const u32 size = count_in(who, text, 0, ~0u);
    require_block_size(size);
    s.cast.block_size = size;
  };
  row.text = [](const CastSettings& s) { return std::to_string(s.cast.block_size); };
  return row;
}

std::vector<CastSetting> cast_table() {
  using enum CastPart;
  return {
      text_row(
          CastSetting{{"device", "device", "NAME", "", "where to cast: "},
                      machine,
                      joined(names_of(backends(), "auto")) +
                          "; several machines share the work: cuda:0,2 or cuda:all or cuda:all+cpu",
                      names_of(backends()),
                      true},
          [](auto& s) -> auto& { return s.renderer.device; },
          [](const std::string&, const std::string& text) { listed_machines(text); }),
      strict_row(),
      memory_row(),
      partition_row(),
      named_row(
          {{"pipeline", "pipeline", "NAME", "", "how kernels take turns: "}, kernels, "", {}, true},
          [](auto& s) -> auto& { return s.cast.pipeline; }, "pipeline", names_of(pipelines())),
      named_row(
          {{"atomics", "atomics", "NAME", "", "how lanes report staged leaves: "},
           kernels,
           "",
           {},
           true},
          [](auto& s) -> auto& { return s.cast.atomics; }, "strategy", names_of(strategies())),
      text_row(
          CastSetting{{"loop", "loop", "NAME", "", "who reads the counter: "},
                      kernels,
                      "auto, host, host:K (every K passes), graph (the GPU)"},
          [](auto& s) -> auto& { return s.cast.loop; },
          [](const std::string&, const std::string& text) {
            CastOptions one;
            one.loop = text;
            CastChoice{one};
          }),
      named_row(
          {{"layout", "layout", "NAME", "", "the tree in memory: "}, tree, "", {}, true},
          [](auto& s) -> auto& { return s.renderer.layout; }, "layout", names_of(layouts())),
      text_row(
          CastSetting{{"build", "builder", "NAME", "", "how the tree is built: "},
                      tree,
                      joined(builder_names()) + "; rounds of moves may follow: ploc-reinserted/12"},
          [](auto& s) -> auto& { return s.renderer.builder; },
          [](const std::string&, const std::string& text) { builder_called(text); }),
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

CastSettings settings_used(const Renderer& renderer, const CastOptions& cast) {
  CastSettings used;
  used.renderer.device = renderer.device();
  used.renderer.layout = prepared_of(renderer).encoded.layout->name;
  used.renderer.builder = prepared_of(renderer).builder.name();
  used.cast = cast;
  return used;
}

const CastSetting& cast_setting(std::string_view key) { return row_with_key(cast_settings(), key); }

}  // namespace ballotcast::detail
