#include "scene/formats/gltf/uri.hpp"

namespace ballotcast::detail {
namespace {

constexpr std::string_view kData = "data:";
constexpr std::string_view kBase64 = ";base64";

/// The value of a digit of base 64 (RFC 4648; also its variant for URLs), or -1.
int digit_of_base64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

int digit_of_hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::vector<u8>> decoded_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<u8> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  u32 bits = 0, count = 0;
  for (const char c : text) {
    const int digit = digit_of_base64(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<u32>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<u8>(bits >> count));
    }
  }
  return bytes;
}

}  // namespace

bool is_data_uri(std::string_view uri) { return uri.starts_with(kData); }

std::optional<std::vector<u8>> data_of_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == uri.npos) return std::nullopt;
  const std::string_view kind = uri.substr(0, comma), data = uri.substr(comma + 1);
  if (kind.ends_with(kBase64)) return decoded_base64(data);
  const std::string text = file_of_uri(data);
  return std::vector<u8>(text.begin(), text.end());
}

std::string file_of_uri(std::string_view uri) {
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const int high = uri[i] == '%' && i + 2 < uri.size() ? digit_of_hex(uri[i + 1]) : -1;
    const int low = high >= 0 ? digit_of_hex(uri[i + 2]) : -1;
    if (low >= 0) {
      name += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      name += uri[i];
    }
  }
  return name;
}

}  // namespace ballotcast::detail
