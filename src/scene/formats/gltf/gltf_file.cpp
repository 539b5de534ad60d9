#include "scene/formats/gltf/gltf_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "scene/formats/byte_reader.hpp"
#include "scene/formats/gltf/uri.hpp"
#include "scene/named_files.hpp"
#include "scene/text.hpp"
#include "support/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
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

}  // namespace ballotcast::detail
