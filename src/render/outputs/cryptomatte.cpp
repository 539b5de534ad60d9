#include <algorithm>
#include <cstdio>

#include "ballotcast/scene.hpp"
#include "math/portable.hpp"
#include "render/outputs/outputs.hpp"
#include "scene/scene_view.hpp"
#include "support/json.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace {

u32 rotated(u32 x, u32 by) { return x << by | x >> (32 - by); }

u32 mixed(u32 block) { return rotated(block * 0xcc9e2d51u, 15) * 0x1b873593u; }

std::string digits(u32 number) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", number);
  return text;
}

/// The index of the name of the object or material that was hit.
u32 matte_name_of(const SceneData& scene, const SceneView& view, Matte kind, u32 id) {
  const TrianglePlace place = place_of(view, id);
  if (kind == Matte::object) return scene.named_parts.part_of(place.triangle, place.instance);
  const u32 own =
      scene.instances.empty() ? kOwnMaterials : scene.instances[place.instance].material;
  return own != kOwnMaterials ? own : scene.mesh.material_index(place.triangle);
}

/// Writes the ids that cover a pixel, those with the largest fraction first.
void write_ranks(const float* ids, u64 count, u64 samples,
                 std::vector<std::pair<u32, float>>& shares, float* to) {
  shares.clear();
  for (u64 i = 0; i < count; ++i) {
    const auto same = std::find_if(shares.begin(), shares.end(),
                                   [&](const auto& row) { return row.second == ids[i]; });
    if (same != shares.end())
      ++same->first;
    else
      shares.emplace_back(1u, ids[i]);
  }
  std::sort(shares.begin(), shares.end(), std::greater<>());
  for (std::size_t k = 0; k < std::min<std::size_t>(shares.size(), MatteLayers::kRanks); ++k) {
    to[2 * k] = shares[k].second;
    to[2 * k + 1] = static_cast<float>(shares[k].first) / static_cast<float>(samples);
  }
}

/// The manifest of a Cryptomatte: the hash of each name, in the order of the names.
std::string manifest_of(const std::vector<std::string>& names) {
  Json all = Json::object();
  for (const std::string& name : names) all[name] = digits(bits_of(id_of_hash(murmur3(name))));
  return all.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

u32 murmur3(std::string_view text) {
  const auto byte = [&](std::size_t i) { return u32{static_cast<u8>(text[i])}; };
  u32 hash = 0;
  std::size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    hash ^= mixed(byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24);
    hash = rotated(hash, 13) * 5u + 0xe6546b64u;
  }
  u32 rest = 0;
  for (std::size_t i = text.size(); i-- > at;) rest = rest << 8 | byte(i);
  hash ^= mixed(rest);
  hash ^= static_cast<u32>(text.size());
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

float id_of_hash(u32 hash) {
  const u32 exponent = hash >> 23 & 255u;
  return float_of(exponent == 0u || exponent == 255u ? hash ^ 1u << 23 : hash);
}

std::vector<ImageChannel> MatteLayers::channels() const {
  constexpr char kLetters[] = "RGBA";
  std::vector<ImageChannel> all;
  for (u32 i = 0; i < 2 * kRanks; ++i)
    all.push_back({name + "0" + std::to_string(i / 4) + "." + kLetters[i % 4], ranks.data() + i,
                   2 * kRanks * sizeof(float)});
  return all;
}

MatteLayers matte_of(const SceneData& scene, Matte kind, const std::vector<Hit>& hits, u64 pixels) {
  const bool objects = kind == Matte::object;
  MatteLayers out{objects ? "CryptoObject" : "CryptoMaterial", {}, {}};
  const std::vector<std::string> names = objects ? part_names_of(scene) : scene.material_names;
  std::vector<float> ids;
  for (const std::string& name : names) ids.push_back(id_of_hash(murmur3(name)));
  SceneView view{};
  view.instances = {scene.instances.data(), static_cast<u32>(scene.instances.size())};
  const u64 samples = hits.size() / pixels;
  out.ranks.resize(pixels * 2 * MatteLayers::kRanks);
  for_each_range<u64>(pixels, 1 << 10, [&](u64 begin, u64 end) {
    std::vector<float> found;
    std::vector<std::pair<u32, float>> shares;
    for (u64 pixel = begin; pixel < end; ++pixel) {
      found.clear();
      for (u64 s = 0; s < samples; ++s)
        if (const Hit& hit = hits[pixel * samples + s]; hit.found())
          found.push_back(ids[matte_name_of(scene, view, kind, hit.triangle)]);
      write_ranks(found.data(), found.size(), samples, shares,
                  out.ranks.data() + pixel * 2 * MatteLayers::kRanks);
    }
  });
  const std::string key = "cryptomatte/" + digits(murmur3(out.name)).substr(0, 7) + "/";
  out.texts = {{key + "name", out.name},
               {key + "hash", "MurmurHash3_32"},
               {key + "conversion", "uint32_to_float32"},
               {key + "manifest", manifest_of(names)}};
  return out;
}

}  // namespace ballotcast::detail
