#include "cli/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "backends/device/device_choice.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "support/numbers.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

std::string in_words(double value) {
  constexpr double kPlain = 1e6;  // larger numbers are written with an exponent
  char digits[32];
  char* const last = digits + sizeof digits;
  return {digits, std::abs(value) <= kPlain && value == std::floor(value)
                      ? std::to_chars(digits, last, value, std::chars_format::fixed).ptr
                      : std::to_chars(digits, last, value).ptr};
}

double number_in(const std::string& option, const std::string& text, double low, double high,
                 bool open) {
  const std::optional<double> value = finite_number(text);
  const bool inside =
      value && (open ? *value > low && *value < high : *value >= low && *value <= high);
  if (!inside)
    refuse_setting(option,
                   open ? "a number between " + in_words(low) + " and " + in_words(high)
                        : "a number from " + in_words(low) + " to " + in_words(high),
                   text);
  return *value;
}

dvec3 vector_in(const std::string& option, const std::string& text) {
  const auto three = three_numbers(text);
  if (!three) refuse_setting(option, "three numbers x,y,z", text);
  for (const double number : *three)
    if (std::abs(number) > kLargestComponent)
      refuse_setting(option, "numbers of at most 1e30", text);
  return {(*three)[0], (*three)[1], (*three)[2]};
}

/// Calls visit(element) for each element of the comma-separated list `text`.
template <class Visit>
void for_each_element(const std::string& option, const std::string& text, Visit visit) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) refuse_setting(option, "a list like a,b,c", text);
    visit(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

Setter set_names(std::vector<std::string>& target, std::string kind,
                 std::vector<std::string_view> names) {
  return [&target, kind, names](const std::string& name, const std::string& text) {
    for_each_element(name, text, [&](const std::string& element) {
      std::string value;
      set_name(value, kind, names)(name, element);
      target.push_back(value);
    });
  };
}

Setter set_texts(std::vector<std::string>& target) {
  return [&target](const std::string& name, const std::string& text) {
    for_each_element(name, text, [&](const std::string& element) { target.push_back(element); });
  };
}

Setter add_text(std::vector<std::string>& target) {
  return [&target](const std::string& name, const std::string& text) {
    if (text.empty()) refuse_setting(name, "a file's name", text);
    target.push_back(text);
  };
}

Setter set_counts(std::vector<u32>& target, u32 low, u32 high) {
  return [&target, low, high](const std::string& name, const std::string& text) {
    for_each_element(name, text, [&](const std::string& element) {
      const u32 shift = element.back() == 'K' ? 10 : element.back() == 'M' ? 20 : 0;
      const auto value = parsed<u32>(element.substr(0, element.size() - (shift != 0 ? 1 : 0)));
      const u64 count = value ? u64{*value} << shift : 0;
      if (!value || count < low || count > high)
        refuse_setting(name,
                       "integers from " + std::to_string(low) + " to " + std::to_string(high) +
                           ", like 64K,1M",
                       element);
      target.push_back(static_cast<u32>(count));
    });
  };
}

Setter set_numbers(std::vector<double>& target, double low, double high) {
  return [&target, low, high](const std::string& name, const std::string& text) {
    for_each_element(name, text, [&](const std::string& element) {
      target.push_back(number_in(name, element, low, high, false));
    });
  };
}

Setter set_flag(bool& target) {
  return [&target](const std::string&, const std::string&) { target = true; };
}

Setter set_text(std::string& target) {
  return [&target](const std::string& name, const std::string& text) {
    if (text.empty()) throw UsageError(name + " needs a name, not ''");
    target = text;
  };
}

Setter set_file(std::optional<std::string>& target) {
  return [&target](const std::string& name, const std::string& text) {
    if (text.empty()) throw UsageError(name + " needs the name of a file, not ''");
    target = text;
  };
}

Setter set_output(std::string& target) {
  return [&target](const std::string& name, const std::string& text) {
    set_text(target)(name, text == "-" ? "/dev/stdout" : text);
  };
}

Setter set_count(u32& target, u32 low, u32 high) {
  return [&target, low, high](const std::string& name, const std::string& text) {
    target = count_in(name, text, low, high);
  };
}

Setter set_bytes(std::optional<u64>& target) {
  return [&target](const std::string& name, const std::string& text) {
    target = bytes_in(name, text);
  };
}

Setter set_number(std::optional<double>& target, double low, double high, bool open) {
  return [&target, low, high, open](const std::string& name, const std::string& text) {
    target = number_in(name, text, low, high, open);
  };
}

Setter set_number(std::optional<float>& target, double low, double high) {
  return [&target, low, high](const std::string& name, const std::string& text) {
    target = static_cast<float>(number_in(name, text, low, high, false));
  };
}

Setter set_size(u32& width, u32& height) {
  return [&width, &height](const std::string& name, const std::string& text) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    const auto w = parsed<u32>(std::string_view(text).substr(0, cross));
    const auto h = parsed<u32>(std::string_view(text).substr(std::min(cross + 1, text.size())));
    const std::string side = std::to_string(kLargestSide);
    if (!w || !h) refuse_setting(name, "WIDTHxHEIGHT in pixels, like 1920x1080", text);
    if (*w < 1 || *h < 1 || *w > kLargestSide || *h > kLargestSide)
      refuse_setting(name, "sides from 1 to " + side + " pixels", text);
    if (u64{*w} * *h > kMostPixels)
      refuse_setting(name, "at most " + std::to_string(kMostPixels) + " pixels in all", text);
    width = *w;
    height = *h;
  };
}

Setter set_vector(std::optional<Vec3d>& target) {
  return [&target](const std::string& name, const std::string& text) {
    target = vector_in(name, text);
  };
}

Setter add_mesh(std::vector<PlacedFile>& target) {
  return [&target](const std::string& name, const std::string& text) {
    PlacedFile mesh;
    const std::size_t at = text.rfind('@');
    mesh.file = text.substr(0, at);
    if (mesh.file.empty()) refuse_setting(name, "FILE[@x,y,z[,scale[,degrees]]]", text);
    if (at != std::string::npos) {
      // The first three numbers are the position; scale and angle follow.
      std::string rest = text.substr(at + 1);
      std::vector<std::string> numbers;
      for (std::size_t comma; (comma = rest.find(',')) != std::string::npos;
           rest.erase(0, comma + 1))
        numbers.push_back(rest.substr(0, comma));
      numbers.push_back(rest);
      if (numbers.size() < 3 || numbers.size() > 5)
        refuse_setting(name, "FILE[@x,y,z[,scale[,degrees]]]", text);
      mesh.placement.translate = vector_in(name, numbers[0] + "," + numbers[1] + "," + numbers[2]);
      std::optional<double> scale, degrees;
      if (numbers.size() > 3) set_number(scale, 0.0, 1e12, true)(name, numbers[3]);
      if (numbers.size() > 4) set_number(degrees, -1e6, 1e6)(name, numbers[4]);
      mesh.placement.scale = scale.value_or(1.0);
      mesh.placement.rotate_y = degrees.value_or(0.0);
    }
    target.push_back(mesh);
  };
}

Setter set_direction(std::optional<Vec3d>& target) {
  return [&target](const std::string& name, const std::string& text) {
    const dvec3 v = vector_in(name, text);
    if (v.x == 0.0 && v.y == 0.0 && v.z == 0.0) refuse_setting(name, "a direction", text);
    target = v;
  };
}

Setter set_color(std::optional<Vec3f>& target) {
  return [&target](const std::string& name, const std::string& text) {
    const dvec3 v = vector_in(name, text);
    if (v.x < 0.0 || v.y < 0.0 || v.z < 0.0) refuse_setting(name, "numbers of at least 0", text);
    target = vec3(v);
  };
}

Setter set_name(std::string& target, std::string kind, std::vector<std::string_view> names) {
  return [&target, kind, names](const std::string&, const std::string& text) {
    require_known(kind, {text}, names);
    target = text;
  };
}

Setter set_devices(std::vector<std::string>& targets) {
  return [&targets](const std::string& name, const std::string& text) {
    std::vector<std::string> devices;
    for_each_element(name, text, [&](const std::string& element) {
      if (!devices.empty() && element.front() >= '0' && element.front() <= '9')
        devices.back() += "," + element;
      else
        devices.push_back(element);
    });
    for (const std::string& device : devices) {
      if (listed_machines(device).empty()) backend_called(device);  // throws UsageError for auto
      targets.push_back(device);
    }
  };
}

Option cast_option(const std::string& group, std::string_view key, CastSettings& settings,
                   const std::string& help) {
  const CastSetting& row = cast_setting(key);
  const bool shows_value = row.preset.empty() && !row.value.empty();
  return {group,
          "--" + std::string(row.name),
          std::string(row.value),
          shows_value ? row.text(settings) : row.preset,
          (help.empty() ? row.help : help) + row.values,
          [&row, &settings](const std::string& name, const std::string& text) {
            row.set(settings, name, text);
          }};
}

Option host_build_option(const std::string& group, CastSettings& settings) {
  Option option = cast_option(group, "builder", settings);
  option.help += "; efforts mean what they mean on the host";
  return option;
}

Option cast_list_option(const std::string& group, std::string_view key,
                        std::vector<std::string>& target, const std::string& preset) {
  const CastSetting& row = cast_setting(key);
  return {group,
          "--" + std::string(row.name),
          "LIST",
          preset,
          row.help + row.values,
          [&row, &target](const std::string& name, const std::string& text) {
            CastSettings checked;
            for_each_element(name, text, [&](const std::string& element) {
              row.set(checked, name, element);
              target.push_back(element);
            });
          }};
}

}  // namespace ballotcast::detail
