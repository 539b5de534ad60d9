#include "bench/rays/rays_file.hpp"

#include <bit>
#include <cstring>

#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "rays are copied as they are");

constexpr char kRaysFileMagic[] = {'B', 'C', 'R', 'A', 'Y', 'S', '\r', '\n'};
constexpr u32 kRaysVersion = 1;

struct Header {
  char magic[8];
  u32 version;
  u32 kind;
  u64 count;
  u64 zero;
};
static_assert(sizeof(Header) == 32);

}  // namespace

std::vector<u8> encode_rays(const RaySet& set) {
  Header header{{}, kRaysVersion, static_cast<u32>(set.kind), set.rays.size(), 0};
  std::memcpy(header.magic, kRaysFileMagic, sizeof kRaysFileMagic);
  std::vector<u8> bytes(sizeof header + set.rays.size() * sizeof(Ray));
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!set.rays.empty())
    std::memcpy(bytes.data() + sizeof header, set.rays.data(), set.rays.size() * sizeof(Ray));
  return bytes;
}

RaySet read_rays(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  Header header;
  if (bytes.size() < sizeof header ||
      std::memcmp(bytes.data(), kRaysFileMagic, sizeof kRaysFileMagic) != 0)
    throw InputError(path + ": not a rays file");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kRaysVersion)
    throw InputError(path + ": rays file of version " + std::to_string(header.version) +
                     "; this program reads version " + std::to_string(kRaysVersion));
  if (header.kind > static_cast<u32>(RayKind::any))
    throw InputError(path + ": rays of kind " + std::to_string(header.kind) +
                     "; known are 0 (closest hit) and 1 (any hit)");
  if (header.zero != 0) throw InputError(path + ": damaged rays file: bytes 24 to 31 must be 0");
  const u64 records = bytes.size() - sizeof header;
  if (records % sizeof(Ray) != 0 || records / sizeof(Ray) != header.count)
    throw InputError(path + ": rays file is cut off or damaged");
  RaySet set{static_cast<RayKind>(header.kind), std::vector<Ray>(header.count)};
  if (header.count > 0)
    std::memcpy(static_cast<void*>(set.rays.data()), bytes.data() + sizeof header,
                header.count * sizeof(Ray));
  return set;
}

}  // namespace ballotcast::detail
