#include "compare/suite/setups.hpp"

#include <algorithm>

#include "backends/device/cast_choice.hpp"
#include "bvh/builders/builder.hpp"
#include "scene/json/setting_json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

Setup::Setup(const std::string& device) {
  renderer.device = device;
  renderer.builder = kSteadyBuilder;
  renderer.layout = "grid2";
}

const std::vector<CastSetting>& setup_axes() {
  static const std::vector<CastSetting> axes = [] {
    std::vector<CastSetting> rows = cast_settings();
    std::erase_if(rows, [](const CastSetting& row) { return !row.is_axis; });
    return rows;
  }();
  return axes;
}

std::string Setup::counter_key() const {
  Setup resolved = *this;
  resolved.cast = CastChoice(cast).options();
  std::string key;
  for (const CastSetting& axis : setup_axes())
    if (axis.part != CastPart::machine) key += (key.empty() ? "" : " ") + axis.text(resolved);
  return key;
}

std::string Setup::in_words() const {
  if (!has_device()) return "command";
  std::string words;
  for (const CastSetting& axis : setup_axes())
    words += (words.empty() ? "" : ", ") +
             (axis.type != SettingType::name ? axis.words() + " " : "") + axis.text(*this);
  return words;
}

std::vector<Setup> setups_of(const CaseAxes& axes) {
  std::vector<Setup> setups{Setup("cpu")};
  for (const CastSetting& axis : setup_axes()) {
    const auto values = axes.find(axis.key);
    if (values == axes.end()) continue;
    std::vector<Setup> more;
    for (const Setup& setup : setups)
      for (const std::string& value : values->second)
        axis.set(more.emplace_back(setup), "it", value);
    setups = std::move(more);
  }
  std::erase_if(setups, [](const Setup& s) { return !takes(s.cast.pipeline, s.cast.atomics); });
  return setups;
}

namespace {

/// The names in a list of a suite, with "all" replaced by the names of all rows.
std::vector<std::string> names_at(const Section& in, const std::string& key,
                                  const CastSetting& axis) {
  std::vector<std::string_view> known = axis.all;
  // If the default of a setup is "auto", a case may state it, too.
  if (axis.text(Setup()) == "auto") known.insert(known.begin(), "auto");
  std::vector<std::string> names;
  for (const std::string& wanted : in.texts(key.c_str())) {
    if (wanted == kAllNames)
      names.insert(names.end(), axis.all.begin(), axis.all.end());
    else if (std::find(known.begin(), known.end(), wanted) == known.end())
      in.fail(key, "has an unknown name '" + wanted + "'; known: all, " + joined(known));
    else
      names.push_back(wanted);
  }
  return names;
}

bool is_less(const std::string& a, const std::string& b, SettingType type) {
  return type == SettingType::name ? a < b : finite_number(a) < finite_number(b);
}

}  // namespace

std::vector<std::string> axis_values(const Section& in, const CastSetting& axis) {
  const std::string key(axis.key);
  std::vector<std::string> values =
      axis.type == SettingType::name ? names_at(in, key, axis) : in.settings(key, axis.type);
  CastSettings one;
  for (const std::string& value : values) set_at(in, axis, value, one);
  std::ranges::sort(values, [&](const auto& a, const auto& b) { return is_less(a, b, axis.type); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

CaseAxes axes_at(const Json& on, const std::string& file, const std::string& name) {
  std::vector<const char*> keys;
  for (const CastSetting& axis : setup_axes()) keys.push_back(axis.key.data());
  const Section in(on, file, name, keys);
  CaseAxes axes;
  for (const CastSetting& axis : setup_axes())
    if (in.has(axis.key.data())) axes[std::string(axis.key)] = axis_values(in, axis);
  if (setups_of(axes).empty()) in.fail("has no pipeline that can use any of its atomics");
  return axes;
}

}  // namespace ballotcast::detail
