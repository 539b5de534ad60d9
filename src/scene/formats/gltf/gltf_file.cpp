#include "scene/formats/gltf/gltf_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "scene/formats/named_files.hpp"
#include "scene/formats/readers.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

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

namespace {

constexpr u32 kMagic = 0x46546c67;        // "glTF"
constexpr u32 kJsonChunk = 0x4e4f534a;    // "JSON"
constexpr u32 kBinaryChunk = 0x004e4942;  // "BIN"
constexpr u64 kChunkHeader = 8;           // bytes

/// The extensions that are used.
constexpr std::array<std::string_view, 10> kSupported = {
    "KHR_lights_punctual",    "KHR_materials_emissive_strength", "KHR_materials_ior",
    "KHR_materials_specular", "KHR_materials_transmission",      "KHR_materials_unlit",
    "KHR_materials_volume",   "KHR_mesh_quantization",           "KHR_texture_transform",
    "KHR_xmp_json_ld"};

bool is_supported(const std::string& extension) {
  return std::find(kSupported.begin(), kSupported.end(), extension) != kSupported.end();
}

/// The texts of a list that `in` may have.
std::vector<std::string> texts_if(const Section& in, const char* key) {
  if (!in.has(key) || (in.at(key).is_array() && in.at(key).empty())) return {};
  return in.texts(key);
}

}  // namespace

GltfFile::GltfFile(const std::string& path, SceneData& scene) : path_(path), scene_(scene) {
  bytes_ = read_maybe_gzip(path);
  bytes_read_ = bytes_.size();
  if (bytes_.size() >= 4 && number_at<u32>(bytes_.data()) == kMagic) {
    open_binary();
  } else {
    require_bytewise(bytes_, path_);
    json_ = parse_json({bytes_.begin(), bytes_.end()}, path_, /*comments=*/false);
    bytes_ = {};
  }
  const Section asset = root().part("asset");
  const std::string version = asset.text("version");
  if (!version.starts_with("2.") || (asset.has("minVersion") && asset.text("minVersion") != "2.0"))
    asset.fail("version", "must be 2.0, not " + quoted_name(version));
  require_extensions();
}

void GltfFile::open_binary() {
  ByteReader reader(bytes_, path_);
  reader.skip(4);
  reader.require(1, 8, "header");
  if (const u32 version = reader.next<u32>(); version != 2)
    reader.fail("version " + std::to_string(version) + " of glTF is not supported; 2 is");
  const u64 length = reader.next<u32>();
  if (length > bytes_.size())
    reader.fail("the file is cut off: it has " + std::to_string(bytes_.size()) + " of " +
                std::to_string(length) + " bytes");
  bool has_json = false;
  while (reader.left() >= kChunkHeader) {
    const u64 size = reader.next<u32>();
    const u32 kind = reader.next<u32>();
    reader.require(1, size, "chunk");
    const std::span<const u8> chunk = std::span(bytes_).subspan(reader.at(), size);
    if (!has_json) {
      if (kind != kJsonChunk) reader.fail("the first chunk is not JSON");
      json_ = parse_json({chunk.begin(), chunk.end()}, path_, /*comments=*/false);
      has_json = true;
    } else if (kind == kBinaryChunk && !has_binary_) {
      binary_ = chunk;
      has_binary_ = true;
    }
    // The length of a chunk is a multiple of 4, but some writers leave the padding out of it.
    reader.skip(std::min<u64>((size + 3) / 4 * 4, reader.left()));
  }
  if (!has_json) reader.fail("the file is cut off: it has no JSON chunk");
  if (length != bytes_.size())
    scene_.warnings.push_back(path_ + ": the header states " + std::to_string(length) +
                              " bytes, but the file has " + std::to_string(bytes_.size()));
}

void GltfFile::require_extensions() const {
  for (const std::string& name : texts_if(root(), "extensionsRequired"))
    if (!is_supported(name))
      throw InputError(path_ + ": the file needs the extension " + quoted_name(name) +
                       ", which is not supported; save it without");
  std::string ignored;
  for (const std::string& name : texts_if(root(), "extensionsUsed"))
    if (!is_supported(name)) ignored += (ignored.empty() ? "" : ", ") + quoted_name(name);
  if (!ignored.empty())
    scene_.warnings.push_back(path_ + ": drawn without the extensions " + ignored.substr(0, 1000));
}

u32 GltfFile::size_of(const char* list) const {
  const Section all = root();
  if (!all.has(list)) return 0;
  const Json& value = all.at(list);
  if (!value.is_array()) all.fail(list, "must be a list, not " + Section::kind_of(value));
  return static_cast<u32>(std::min<std::size_t>(value.size(), 0xffffffffu));
}

Section GltfFile::item(const char* list, u32 index) const {
  return {json_.at(list)[index], path_, std::string(list) + "[" + std::to_string(index) + "]"};
}

u32 GltfFile::index(const Section& in, const char* key, const char* list) const {
  const u32 size = size_of(list);
  if (size == 0) in.fail(key, std::string("is an index into \"") + list + "\", which is empty");
  return in.count(key, 0, size - 1);
}

std::optional<u32> GltfFile::index_if(const Section& in, const char* key, const char* list) const {
  if (!in.has(key)) return std::nullopt;
  return index(in, key, list);
}

std::vector<u32> GltfFile::indices(const Section& in, const char* key, const char* list) const {
  if (!in.has(key) || (in.at(key).is_array() && in.at(key).empty())) return {};
  const u32 size = size_of(list);
  if (size == 0) in.fail(key, std::string("is about \"") + list + "\", which is empty");
  return in.counts(key, 0, size - 1);
}

std::span<const u8> GltfFile::buffer(u32 index) {
  const Section in = item("buffers", index);
  if (!in.has("uri")) {
    if (index != 0 || !has_binary_) in.fail("needs a \"uri\", because there is no binary chunk");
    return binary_;
  }
  const auto [entry, is_new] = buffers_.try_emplace(index);
  if (!is_new) return entry->second;
  const std::string uri = in.text("uri");
  if (is_data_uri(uri)) {
    auto data = data_of_uri(uri);
    if (!data) in.fail("uri", "is a malformed data URI");
    entry->second = std::move(*data);
  } else {
    const auto file = find_file(std::filesystem::path(path_).parent_path(), file_of_uri(uri));
    if (!file) in.fail("uri", "names the file " + quoted_name(uri) + ", which was not found");
    scene_.files.push_back(file->string());
    entry->second = read_file(file->string());
  }
  bytes_read_ += entry->second.size();
  return entry->second;
}

std::span<const u8> GltfFile::view(u32 buffer_view) {
  const Section in = item("bufferViews", buffer_view);
  const u32 index_of_buffer = index(in, "buffer", "buffers");
  const std::span<const u8> all = buffer(index_of_buffer);
  const u64 begin = in.has("byteOffset") ? in.count("byteOffset", 0, 0xffffffffu) : 0;
  const u64 length = in.count("byteLength", 0, 0xffffffffu);
  if (begin > all.size() || length > all.size() - begin)
    in.fail("takes bytes " + std::to_string(begin) + " to " + std::to_string(begin + length) +
            " of buffer " + std::to_string(index_of_buffer) + ", which has " +
            std::to_string(all.size()));
  return all.subspan(begin, length);
}

void GltfFile::warn(const Section& where, const std::string& what) const {
  scene_.warnings.push_back(path_ + ": " + where.name() + ": " + what);
}

std::optional<Section> extension(const Section& in, const char* name) {
  if (!in.has("extensions")) return std::nullopt;
  const Section all = in.part("extensions");
  if (!all.has(name)) return std::nullopt;
  return all.part(name);
}

double number_or(const Section& in, const char* key, double otherwise) {
  return in.has(key) ? in.number(key) : otherwise;
}

namespace {

/// The type of a component, as the file codes it.
enum Component : u32 {
  kInt8 = 5120,
  kUint8 = 5121,
  kInt16 = 5122,
  kUint16 = 5123,
  kUint32 = 5125,
  kFloat = 5126
};

constexpr std::array<std::pair<std::string_view, u32>, 4> kWidths = {
    {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}}};

// An accessor without bytes consists of zeros. It may not be much longer than the file, or a small
// file would fill the memory.
constexpr u64 kZerosAlways = 65536;

u32 component_of(const Section& in) {
  const u32 type = in.count("componentType", kInt8, kFloat);
  if (type == 5124) in.fail("componentType", "must not be 5124");
  return type;
}

u32 size_of(u32 component) { return component <= kUint8 ? 1 : component <= kUint16 ? 2 : 4; }

/// Elements in the bytes of the file.
struct Elements {
  const u8* begin;
  u64 stride;
};

/// The elements that `in` describes: `count` of `width` components. Throws InputError unless the
/// file has all their bytes.
Elements elements_of(GltfFile& file, const Section& in, u64 count, u32 width, u32 component) {
  const u32 index = file.index(in, "bufferView", "bufferViews");
  const Section view_in = file.item("bufferViews", index);
  const std::span<const u8> view = file.view(index);
  const u64 size = u64{width} * size_of(component);
  const u64 stride = view_in.has("byteStride") ? view_in.count("byteStride", 4, 252) : size;
  const u64 offset = in.has("byteOffset") ? in.count("byteOffset", 0, 0xffffffffu) : 0;
  // count and stride fit 32 bits, so nothing overflows.
  if (stride < size) view_in.fail("byteStride", "is smaller than the elements");
  if (offset + (count - 1) * stride + size > view.size())
    in.fail("has " + std::to_string(count) + " elements, which end at byte " +
            std::to_string(offset + (count - 1) * stride + size) + " of " + view_in.name() +
            ", which has " + std::to_string(view.size()));
  return {view.data() + offset, stride};
}

/// An integer as the fraction that it stands for, or as it is.
template <class Integer>
float value_of(const u8* at, bool normalized) {
  const Integer value = number_at<Integer>(at);
  if (!normalized) return static_cast<float>(value);
  const double fraction = double(value) / double(std::numeric_limits<Integer>::max());
  return static_cast<float>(std::max(fraction, -1.0));
}

float value_at(const u8* at, u32 component, bool normalized) {
  switch (component) {
    case kInt8:
      return value_of<std::int8_t>(at, normalized);
    case kUint8:
      return value_of<u8>(at, normalized);
    case kInt16:
      return value_of<std::int16_t>(at, normalized);
    case kUint16:
      return value_of<std::uint16_t>(at, normalized);
    case kUint32:
      return value_of<u32>(at, normalized);
    default:
      return number_at<float>(at);
  }
}

u32 index_at(const u8* at, u32 component) {
  return component == kUint8    ? *at
         : component == kUint16 ? number_at<std::uint16_t>(at)
                                : number_at<u32>(at);
}

void require_index_type(const Section& in, u32 component) {
  if (component != kUint8 && component != kUint16 && component != kUint32)
    in.fail("componentType", "must be 5121, 5123 or 5125: indices are integers of at least 0");
}

u32 count_of(const GltfFile& file, const Section& in) {
  const u32 count = in.count("count", 1, 0x7fffffff);
  if (!in.has("bufferView") && count > kZerosAlways && count > file.bytes_read())
    in.fail("count", "is far larger than the file");
  return count;
}

/// Calls put(element, pointer to its bytes) for the elements that the sparse part replaces.
template <class Put>
void each_sparse(GltfFile& file, const Section& in, u32 width, u32 component, Put put) {
  if (!in.has("sparse")) return;
  const u32 count = in.count("count", 1, 0x7fffffff);
  const Section sparse = in.part("sparse");
  const u32 replaced = sparse.count("count", 1, count);
  const Section places = sparse.part("indices"), values = sparse.part("values");
  const u32 index_type = component_of(places);
  require_index_type(places, index_type);
  const Elements at = elements_of(file, places, replaced, 1, index_type);
  const Elements from = elements_of(file, values, replaced, width, component);
  for (u64 i = 0; i < replaced; ++i) {
    const u32 element = index_at(at.begin + i * at.stride, index_type);
    if (element >= count)
      places.fail("replace element " + std::to_string(element) + " of " + std::to_string(count));
    put(element, from.begin + i * from.stride);
  }
}

}  // namespace

GltfNumbers read_numbers(GltfFile& file, u32 accessor) {
  const Section in = file.item("accessors", accessor);
  const std::string type = in.text("type");
  GltfNumbers numbers;
  for (const auto& [name, width] : kWidths)
    if (name == type) numbers.width = width;
  if (numbers.width == 0) in.fail("type", "must be SCALAR, VEC2, VEC3 or VEC4 for this use");
  const u32 width = numbers.width;
  const u32 component = component_of(in), count = count_of(file, in);
  const bool normalized = in.has("normalized") && in.flag("normalized");
  const u64 step = size_of(component);
  const auto put = [&](u64 element, const u8* from) {
    for (u32 i = 0; i < width; ++i)
      numbers.values[element * width + i] = value_at(from + i * step, component, normalized);
  };
  if (in.has("bufferView")) {
    const Elements from = elements_of(file, in, count, width, component);
    numbers.values.resize(u64{count} * width);
    for (u64 i = 0; i < count; ++i) put(i, from.begin + i * from.stride);
  } else {
    numbers.values.resize(u64{count} * width);
  }
  each_sparse(file, in, width, component, put);
  return numbers;
}

std::vector<u32> read_indices(GltfFile& file, u32 accessor) {
  const Section in = file.item("accessors", accessor);
  if (in.text("type") != "SCALAR") in.fail("type", "must be SCALAR for indices");
  const u32 component = component_of(in), count = count_of(file, in);
  require_index_type(in, component);
  std::vector<u32> indices;
  if (in.has("bufferView")) {
    const Elements from = elements_of(file, in, count, 1, component);
    indices.resize(count);
    for (u64 i = 0; i < count; ++i) indices[i] = index_at(from.begin + i * from.stride, component);
  } else {
    indices.resize(count);
  }
  each_sparse(file, in, 1, component,
              [&](u64 element, const u8* from) { indices[element] = index_at(from, component); });
  return indices;
}

}  // namespace ballotcast::detail
