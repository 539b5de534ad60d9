#include "scene/formats/gltf/gltf_file.hpp"

#include <algorithm>
#include <filesystem>

#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/readers.hpp"
#include "support/files/files.hpp"
#include "support/give_back.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kData = "data:";
constexpr std::string_view kBase64 = "base64";

/// The value of a base64 digit (RFC 4648, including the variant for URLs), or -1.
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
  while (!text.empty() && (text.back() == '=' || is_blank(text.back()))) text.remove_suffix(1);
  std::vector<u8> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  u32 bits = 0, count = 0;
  for (const char c : text) {
    if (is_blank(c)) continue;  // skips line breaks
    const int digit = digit_of_base64(c);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<u32>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<u8>(bits >> count));
    }
  }
  if (count == 6) return std::nullopt;  // a single digit is less than a byte
  return bytes;
}

}  // namespace

bool is_data_uri(std::string_view uri) {
  return lowered(std::string(uri.substr(0, kData.size()))) == kData;
}

std::optional<std::vector<u8>> data_of_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == uri.npos) return std::nullopt;
  const std::string_view kind = uri.substr(0, comma), data = uri.substr(comma + 1);
  const std::string text = file_of_uri(data);
  // Some programs leave out the semicolon.
  if (lowered(std::string(kind)).ends_with(kBase64)) return decoded_base64(text);
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

std::optional<std::filesystem::path> find_uri(const std::filesystem::path& directory,
                                              const std::string& uri) {
  const auto meant = find_file(directory, file_of_uri(uri));
  return meant ? meant : find_file(directory, uri);
}

namespace {

constexpr u32 kMagic = 0x46546c67;        // "glTF"
constexpr u32 kJsonChunk = 0x4e4f534a;    // "JSON"
constexpr u32 kBinaryChunk = 0x004e4942;  // "BIN"
constexpr u64 kChunkHeader = 8;           // bytes
constexpr u64 kAlignment = 4;             // alignment of chunks in bytes

}  // namespace

namespace {

[[noreturn]] void refuse_version(const std::string& path, const std::string& version) {
  throw InputError(path + ": this is glTF " + version +
                   ", and only glTF 2.0 is read; convert it, for example with gltf-pipeline: npx "
                   "gltf-pipeline -i old.gltf -o new.gltf");
}

struct Chunk {
  u32 kind;
  std::span<const u8> bytes;
};

/// Reads the header of the next chunk of a binary file. Afterwards `reader` is at the first byte of
/// the chunk.
Chunk next_chunk(ByteReader& reader, std::span<const u8> file) {
  u64 size = reader.next<u32>();
  const u32 kind = reader.next<u32>();
  // The size of the last chunk may include padding that the file does not have.
  if (size > reader.left() && size - reader.left() < kAlignment) size = reader.left();
  if (size > reader.left() && kind != kJsonChunk && kind != kBinaryChunk)
    reader.fail(
        "this is no header of a chunk: its type is neither JSON nor BIN, and its length "
        "is beyond the end of the file; the length of the chunk before it may be wrong");
  reader.require(1, size, "chunk");
  return {kind, file.subspan(reader.at(), size)};
}

/// The length of a chunk with its padding, a multiple of 4. Some programs write the length without
/// the padding. Others write no padding at all: then the header of the next chunk follows directly.
u64 padded_length(std::span<const u8> file, u64 at, u64 size) {
  const u64 padded = std::min<u64>((size + 3) / 4 * 4, file.size() - at);
  const auto has_next = [&](u64 length) {
    const u64 kind_at = at + length + 4;
    return kind_at + 4 <= file.size() && number_at<u32>(file.data() + kind_at) == kBinaryChunk;
  };
  return has_next(size) && !has_next(padded) ? size : padded;
}

}  // namespace

GltfFile::GltfFile(const std::string& path, SceneData& scene) : path_(path), scene_(scene) {
  bytes_ = read_maybe_gzip(path);
  bytes_read_ = bytes_.size();
  if (bytes_.size() >= 4 && number_at<u32>(bytes_.data()) == kMagic) {
    open_binary();
  } else {
    require_json();
    json_ = parse_json({bytes_.begin(), bytes_.end()}, path_, /*comments=*/false);
    bytes_ = {};
  }
  require_version();
  check_extensions(json_, path_, scene_);
}

void GltfFile::require_json() const {
  const std::string_view front(reinterpret_cast<const char*>(bytes_.data()),
                               std::min<std::size_t>(bytes_.size(), 1024));
  if (!seems_to_be(bytes_).empty() && !trimmed(without_mark(front)).starts_with('{'))
    refuse_lookalike(path_, "a glTF file", bytes_);
}

void GltfFile::open_binary() {
  ByteReader reader(bytes_, path_);
  reader.skip(4);
  reader.require(1, 8, "header");
  const u32 version = reader.next<u32>();
  if (version == 1) refuse_version(path_, "1.0");
  if (version != 2)
    reader.fail("version " + std::to_string(version) + " of glTF is not supported; 2 is");
  u64 length = reader.next<u32>();
  if (length >= bytes_.size() + kAlignment)
    reader.fail("the file is cut off: it has " + std::to_string(bytes_.size()) + " of " +
                std::to_string(length) + " bytes");
  const u64 header_length = length;
  // If the length covers only the header, the program that wrote the file did not know the length.
  if (length <= reader.at()) length = bytes_.size();
  bool has_json = false;
  while (reader.at() < length && reader.left() >= kChunkHeader) {
    const auto [kind, chunk] = next_chunk(reader, bytes_);
    if (!has_json) {
      if (kind != kJsonChunk) reader.fail("the first chunk is not JSON");
      const std::string text(chunk.begin(), chunk.end());
      // Some programs pad with zeros instead of blanks.
      json_ =
          parse_json(text.substr(0, text.find_last_not_of('\0') + 1), path_, /*comments=*/false);
      has_json = true;
    } else if (kind == kBinaryChunk && !has_binary_) {
      binary_ = chunk;
      has_binary_ = true;
    }
    reader.skip(padded_length(bytes_, reader.at(), chunk.size()));
  }
  if (!has_json) reader.fail("the file is cut off: it has no JSON chunk");
  if (header_length + kAlignment <= bytes_.size())
    scene_.warnings.push_back(path_ + ": the header states " + std::to_string(header_length) +
                              " bytes, but the file has " + std::to_string(bytes_.size()));
}

void GltfFile::require_version() const {
  const Section all = root();
  // In glTF 1.0, objects are used where 2.0 has lists, and "asset" may be missing.
  const bool old = all.has("meshes") && all.at("meshes").is_object();
  if (!all.has("asset") && old) refuse_version(path_, "1.0");
  const Section asset = all.object("asset");
  const Json& version_json = asset.at("version");
  const std::string version =
      version_json.is_number() ? version_json.dump() : asset.text("version");
  if (version.starts_with("0.") || version.starts_with("1")) refuse_version(path_, version);
  if (version != "2" && !version.starts_with("2."))
    asset.fail("version", "must be 2.0, not " + quoted_name(version));
  if (asset.has("minVersion") && asset.text("minVersion") != "2.0")
    asset.fail("minVersion", "must be 2.0, not " + quoted_name(asset.text("minVersion")));
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
    const auto file = find_uri(std::filesystem::path(path_).parent_path(), uri);
    if (!file) in.fail("uri", "names the file " + quoted_name(uri) + ", which was not found");
    scene_.files.push_back(file->string());
    entry->second = read_file(file->string());
  }
  bytes_read_ += entry->second.size();
  return entry->second;
}

std::span<const u8> GltfFile::view(u32 buffer_view) {
  const Section in = item("bufferViews", buffer_view);
  const std::optional<Section> vendors = extension(in, "EXT_meshopt_compression"),
                               khronos = extension(in, "KHR_meshopt_compression");
  const std::optional<Section>& packed = vendors ? vendors : khronos;
  if (!packed || !has_meshopt()) return bytes_of(in);
  const auto [entry, is_new] = views_.try_emplace(buffer_view);
  if (is_new) {
    const MeshoptShape shape{packed->count("count", 1, 0x7fffffff),
                             packed->count("byteStride", 1, 256), packed->text("mode"),
                             packed->has("filter") ? packed->text("filter") : "NONE"};
    entry->second = decode_meshopt(*packed, shape, bytes_of(*packed));
    bytes_read_ += entry->second.size();
  }
  return entry->second;
}

void GltfFile::free_buffers() {
  for (u32 i = 0; i < size_of("images"); ++i)
    if (json_.at("images")[i].contains("bufferView")) return;
  drop(bytes_);
  binary_ = {};
  buffers_.clear();
  views_.clear();
}

/// The bytes of the buffer to which `in` refers.
std::span<const u8> GltfFile::bytes_of(const Section& in) {
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

void GltfFile::warn(const Section& where, const std::string& what) {
  const auto [entry, is_new] = noted_at_.try_emplace(what, noted_.size());
  if (is_new)
    noted_.push_back({where.name(), what, 0});
  else
    ++noted_[entry->second].others;
}

void GltfFile::report_warnings() {
  for (const auto& [where, what, others] : noted_)
    scene_.warnings.push_back(path_ + ": " + where + ": " + what +
                              (others == 0 ? "" : " (and " + std::to_string(others) + " more)"));
}

std::optional<Section> extension(const Section& in, const char* name) {
  if (!in.has("extensions")) return std::nullopt;
  const Section all = in.object("extensions");
  if (!all.has(name)) return std::nullopt;
  return all.object(name);
}

std::string name_in(const Section& in, const std::string& otherwise) {
  return in.has("name") && in.at("name").is_string() ? in.text("name") : otherwise;
}

double number_or(const Section& in, const char* key, double otherwise) {
  return in.has(key) ? in.number(key) : otherwise;
}

}  // namespace ballotcast::detail
