#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "ballotcast/error.hpp"
#include "ballotcast/frame.hpp"
#include "image/codec.hpp"
#include "image/color.hpp"
#include "image/linear/linear_files.hpp"
#include "math/ray_hit.hpp"
#include "render/outputs/outputs.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr u64 kExactFloats = u64{1} << 24;  // all integers up to this value are exact as floats

bool ends_with(const std::string& path, const char* suffix) {
  return lowered(path).ends_with(suffix);
}

/// The name of an output's file: `picture.depth.pfm` for `picture.png`.
std::string beside(const std::string& path, const std::string& key) {
  const std::size_t slash = path.rfind('/'), dot = path.rfind('.');
  const bool has_suffix = dot != path.npos && (slash == path.npos || dot > slash + 1);
  return (has_suffix ? path.substr(0, dot) : path) + "." + key + ".pfm";
}

void add_channels(const OutputInfo& row, const PixelNumbers& numbers,
                  std::vector<ImageChannel>& to) {
  const std::size_t count = numbers.channels.size();
  for (std::size_t c = 0; c < count; ++c) {
    const void* first = row.integer ? static_cast<const void*>(numbers.integers.data() + c)
                                    : static_cast<const void*>(numbers.floats.data() + c);
    to.push_back({row.key() + "." + numbers.channels[c], first, count * sizeof(float),
                  row.integer != nullptr});
  }
}

/// A PFM of one channel or of three channels. For two channels, a third channel of 0 is added.
std::vector<u8> pfm_of(const PixelNumbers& n) {
  const u32 channels = static_cast<u32>(n.channels.size());
  return encode_pfm_of(n.width, n.height, channels == 1 ? 1 : 3, [&](u64 pixel, u32 c) {
    if (c >= channels) return 0.0f;
    const u64 at = pixel * channels + c;
    return n.floats.empty() ? static_cast<float>(n.integers[at]) : n.floats[at];
  });
}

std::vector<u8> colour_file(const std::string& path, const Frame& frame) {
  const LinearFormat* const linear = linear_format_of(path);
  return linear ? encode_linear(frame.linear, linear->name) : encode_png(frame.image);
}

std::vector<u8> exr_of(const WantedOutputs& wanted, const SceneData& scene, const Frame& frame,
                       const std::vector<PixelNumbers>& computed) {
  std::vector<ImageChannel> channels;
  std::vector<MatteLayers> mattes;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, kind] :
       {std::pair{kObjectMatte, Matte::object}, {kMaterialMatte, Matte::material}})
    if (wanted.has(name))
      mattes.push_back(matte_of(scene, kind, frame.hits, frame.linear.pixels.size()));
  if (wanted.has(kColourOutput)) channels = channels_of(frame.linear);
  if (wanted.has(kAlphaOutput) && !wanted.has(kColourOutput))
    channels.push_back({"A", frame.linear.alpha.data(), sizeof(float)});
  auto numbers = computed.begin();
  u32 width = frame.linear.width, height = frame.linear.height;
  for (const OutputInfo* row : wanted.rows()) {
    if (row->is_drawn()) continue;
    width = numbers->width;
    height = numbers->height;
    add_channels(*row, *numbers++, channels);
  }
  for (const MatteLayers& matte : mattes) {
    const std::vector<ImageChannel> layers = matte.channels();
    channels.insert(channels.end(), layers.begin(), layers.end());
    texts.insert(texts.end(), matte.texts.begin(), matte.texts.end());
  }
  return encode_exr_channels(width, height, channels, texts);
}

}  // namespace

WantedOutputs::WantedOutputs(const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<const OutputInfo*> asked;
  for (const std::string& name : names) asked.push_back(&output_called(name));
  rows_.clear();
  for (const OutputInfo& row : output_table())
    if (std::find(asked.begin(), asked.end(), &row) != asked.end()) rows_.push_back(&row);
}

bool WantedOutputs::has(std::string_view name) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const OutputInfo* row) { return row->name == name; });
}

bool WantedOutputs::draws() const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [](const OutputInfo* row) { return row->is_drawn(); });
}

std::vector<std::string> WantedOutputs::computed() const {
  std::vector<std::string> names;
  for (const OutputInfo* row : rows_)
    if (!row->is_drawn()) names.emplace_back(row->name);
  return names;
}

std::vector<std::string> paths_of(const WantedOutputs& wanted, const std::string& path) {
  std::vector<std::string> paths;
  const bool together = ends_with(path, ".exr") || wanted.rows().size() == 1;
  for (const OutputInfo* row : wanted.rows())
    paths.push_back(together || row->name == kColourOutput ? path : beside(path, row->key()));
  return paths;
}

std::vector<std::pair<std::string, std::string>> files_of(const WantedOutputs& wanted,
                                                          const std::string& path) {
  const std::vector<std::string> paths = paths_of(wanted, path);
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t i = 0; i < paths.size(); ++i)
    files.emplace_back(wanted.rows()[i]->name, paths[i]);
  return files;
}

void require_holders(const WantedOutputs& wanted, const std::string& path) {
  if (wanted.only_colour()) return;
  const std::vector<std::string> paths = paths_of(wanted, path);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const OutputInfo& row = *wanted.rows()[i];
    if (row.name == kColourOutput || ends_with(paths[i], ".exr")) continue;
    if (row.channels.empty())
      throw UsageError("--outputs " + std::string(row.name) + " needs -o picture.exr");
    if (ends_with(paths[i], ".pfm")) continue;
    throw UsageError("--output '" + paths[i] +
                     "': only .exr and .pfm hold the numbers of the output " +
                     std::string(row.name));
  }
}

void require_exact(const WantedOutputs& wanted, const std::string& path, const SceneData& scene) {
  const u64 most = std::max<u64>(scene.mesh.triangles.size(), scene.instances.size());
  if (ends_with(path, ".exr") || most <= kExactFloats) return;
  for (const OutputInfo* row : wanted.rows())
    if (row->integer)
      throw UsageError("--outputs " + std::string(row->name) + ": the scene has " + grouped(most) +
                       " triangles or instances, but the floats of a PFM hold integers up to 2^24; "
                       "write .exr");
}

std::string background_with_alpha(const std::string& background) {
  if (background != "sky" && background != "transparent")
    throw UsageError("the output alpha needs the background transparent, not '" + background + "'");
  return "transparent";
}

std::vector<EncodedFile> encoded_files(const WantedOutputs& wanted, const std::string& path,
                                       const SceneData& scene, const Frame& frame,
                                       const std::vector<PixelNumbers>& computed) {
  if (wanted.only_colour()) return {{path, colour_file(path, frame)}};
  if (ends_with(path, ".exr")) return {{path, exr_of(wanted, scene, frame, computed)}};
  const std::vector<std::string> paths = paths_of(wanted, path);
  std::vector<EncodedFile> files;
  auto numbers = computed.begin();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const OutputInfo& row = *wanted.rows()[i];
    if (row.name == kColourOutput) {
      files.push_back({paths[i], colour_file(path, frame)});
    } else if (row.name == kAlphaOutput) {
      const Image<Rgb8>& image = frame.image;
      files.push_back(
          {paths[i],
           pfm_of(
               {std::string(row.name), row.channels, image.width, image.height, image.alpha, {}})});
    } else {
      files.push_back({paths[i], pfm_of(*numbers++)});
    }
  }
  return files;
}

namespace {

static_assert(std::endian::native == std::endian::little, "hits are copied as they are");

constexpr char kMagic[] = {'B', 'C', 'H', 'I', 'T', 'S', '\r', '\n'};
constexpr u32 kHitsVersion = 1;

/// The header of a hits file.
struct Header {
  char magic[8];
  u32 version;
  u32 width;
  u32 height;
  u32 samples;
  u64 count;
};
static_assert(sizeof(Header) == 32);

}  // namespace

std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits) {
  Header header{{}, kHitsVersion, width, height, samples, hits.size()};
  if (header.count != u64{width} * height * samples)
    throw UsageError("hits file: " + std::to_string(hits.size()) + " hits for " +
                     std::to_string(width) + "x" + std::to_string(height) + " pixels of " +
                     std::to_string(samples) + " samples");
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::vector<u8> bytes(sizeof header + hits.size() * sizeof(Hit));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!hits.empty())
    std::memcpy(bytes.data() + sizeof header, hits.data(), hits.size() * sizeof(Hit));
  return bytes;
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

std::string hash_of(const Image<Rgb8>& image) {
  Fnv1a hash;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Rgb8 p = image.pixels[i];
    for (const u8 channel : {p.r, p.g, p.b}) hash.add(channel);
    if (!image.alpha.empty()) hash.add(plain_code(image.alpha[i]));
  }
  return hash.digits();
}

std::string hash_of(Span<const Hit> hits) {
  const auto words_of = [](const Hit& h) {
    return std::array<u32, 4>{bits_of(h.t), h.triangle, bits_of(h.u), bits_of(h.v)};
  };
  return ParallelFnv(hits.data(), hits.size(), words_of).after({}).digits();
}

}  // namespace ballotcast
