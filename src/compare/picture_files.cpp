#include "compare/picture_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "image/linear/linear_files.hpp"
#include "image/png.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The picture of a file: either a linear one or a sampled one.
struct AnyPicture {
  SampledImage sampled;
  std::optional<LinearImage> linear;
};

AnyPicture read_any(const std::string& path, bool ids) {
  const std::vector<u8> bytes = read_file(path);
  if (ids) return {ids_of(bytes, path), {}};
  if (begins_linear(bytes)) return {{}, decode_linear(bytes, path)};
  return {decode_picture(bytes, path), {}};
}

/// Compares two pictures of ids. The worst pixel of the comparison is the first pixel that differs,
/// because the size of a difference means nothing.
Comparison compare_ids(const PicturePair& pair) {
  Comparison out = compare_pair(pair);
  out.values.clear();
  out.max_error = 0;
  for (u64 i = 0; i < pair.pixels() && out.worst; ++i) {
    const u16 *const a = pair.reference.data() + 4 * i, *const b = pair.result.data() + 4 * i;
    if (std::equal(a, a + 4, b)) continue;
    out.worst = WorstPixel{static_cast<u32>(i % pair.width),
                           static_cast<u32>(i / pair.width),
                           {a[0], a[1], a[2], a[3]},
                           {b[0], b[1], b[2], b[3]}};
    break;
  }
  return out;
}

void refuse_two_kinds(const std::string& linear, const std::string& other) {
  throw InputError(linear + " has linear numbers, and " + other +
                   " has not: only pictures of the same kind can be compared");
}

}  // namespace

FileComparison compared_files(const std::string& reference, const std::string& result,
                              const FileCompareOptions& options) {
  AnyPicture a = read_any(reference, options.ids), b = read_any(result, options.ids);
  if (a.linear && !b.linear) refuse_two_kinds(reference, result);
  if (b.linear && !a.linear) refuse_two_kinds(result, reference);
  FileComparison out;
  if (a.linear) {
    LinearReport& linear = out.linear.emplace();
    linear.exposure = options.exposure ? *options.exposure : exposure_for(*a.linear);
    linear.reference = tone_mapped(*a.linear, linear.exposure);
    linear.result = tone_mapped(*b.linear, linear.exposure);
    a.sampled = sampled(linear.reference);
    b.sampled = sampled(linear.result);
  }
  out.reference = std::move(a.sampled);
  out.result = std::move(b.sampled);
  CompareOptions pairing{options.ignore, reference, result, {}, options.ignore_where};
  if (!options.ignore_where.empty()) pairing.ignore_where = read_picture(options.ignore_where);
  out.pair = paired(out.reference, out.result, pairing);
  out.are_ids = options.ids;
  out.comparison = options.ids ? compare_ids(out.pair) : compare_pair(out.pair);
  if (!a.linear) return out;
  out.linear->comparison = compare_linear(*a.linear, *b.linear, out.pair.left_out,
                                          options.block.value_or(kDefaultBlock));
  // Also compares the floats, because they may differ even if the 8-bit pictures are equal.
  const LinearComparison& exact = out.linear->comparison;
  out.comparison.different = out.comparison.color_different = exact.different;
  out.comparison.same = exact.same() && !out.comparison.sizes_differ();
  return out;
}

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kEndings = {".png", ".jpg", ".jpeg", ".webp",
                                                      ".bmp", ".pfm", ".hdr",  ".exr"};

bool is_picture(const fs::path& path) {
  return std::ranges::find(kEndings, lowered(path.extension().string())) != kEndings.end();
}

/// Calls visit(path, name) for each file in `folder` and in all folders below it.
template <class Visit>
void for_each_file(const std::string& folder, Visit visit) {
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        visit(entry.path(), entry.path().lexically_relative(folder).generic_string());
  } catch (const fs::filesystem_error& error) {
    throw InputError(error.path1().string() + ": " + error.code().message());
  }
}

}  // namespace

std::string picture_endings() { return joined({kEndings.begin(), kEndings.end()}); }

FolderPair paired_folders(const std::string& reference, const std::string& result) {
  std::map<std::string, FolderEntry> entries;
  FolderPair pair;
  const auto list = [&](const std::string& folder, bool FolderEntry::*side) {
    for_each_file(folder, [&](const fs::path& path, const std::string& name) {
      if (is_picture(path))
        entries[name].*side = true;
      else
        pair.others.push_back(path.string());
    });
  };
  list(reference, &FolderEntry::in_reference);
  list(result, &FolderEntry::in_result);
  for (auto& [name, entry] : entries) {
    entry.name = name;
    pair.entries.push_back(std::move(entry));
  }
  if (pair.entries.empty())
    throw InputError("neither " + reference + " nor " + result +
                     " has a picture, a file that ends with one of " + picture_endings());
  std::ranges::sort(pair.others);
  return pair;
}

namespace {

/// The ids of the pixels of a PNG, without regard to alpha.
std::vector<u32> ids_of_png(const SampledImage& image, const std::string& name) {
  const bool is_grey = image.channels < 3;
  if (!is_grey && image.depth != 8)
    throw InputError(name +
                     ": colours of 16 bits are no ids; known: grey of 8 or 16 bits, and "
                     "colours of 8 bits");
  std::vector<u32> ids;
  for (std::size_t i = 0; i < image.samples.size(); i += image.channels) {
    const u16* const p = image.samples.data() + i;
    ids.push_back(is_grey ? p[0] : u32{p[0]} << 16 | u32{p[1]} << 8 | p[2]);
  }
  return ids;
}

SampledImage picture_of(u32 width, u32 height, const std::vector<u32>& ids) {
  SampledImage out{width, height, 3, 16, {}};
  out.samples.reserve(3 * ids.size());
  for (const u32 id : ids)
    for (const u32 sample : {id >> 16, id & 0xffff, 0u})
      out.samples.push_back(static_cast<u16>(sample));
  return out;
}

}  // namespace

SampledImage ids_of(const std::vector<u8>& bytes, const std::string& name) {
  if (begins_png(bytes)) {
    const SampledImage image = decode_png(bytes, name);
    return picture_of(image.width, image.height, ids_of_png(image, name));
  }
  const Image<u32> numbers = decode_numbers(bytes, name);
  return picture_of(numbers.width, numbers.height, numbers.pixels);
}

Image<Rgb8> colors_of(const SampledImage& ids) {
  Image<Rgb8> out{ids.width, ids.height, {}};
  for (std::size_t i = 0; i < ids.samples.size(); i += ids.channels) {
    const u32 id = id_in(ids.samples.data() + i);
    // The factor is 2^32 divided by the golden ratio; it gives neighbouring ids very different
    // colours.
    const u32 mixed = id * 2654435769u;
    const auto byte = [&](u32 shift) {
      return static_cast<u8>(64 + (mixed >> shift & 0xff) * 3 / 4);
    };
    out.pixels.push_back(id == 0             ? Rgb8{0, 0, 0}
                         : id == 0xffffffffu ? Rgb8{96, 96, 96}
                                             : Rgb8{byte(24), byte(16), byte(8)});
  }
  return out;
}

}  // namespace ballotcast::detail

namespace ballotcast {

SampledImage read_picture(const std::string& path) {
  return detail::decode_picture(detail::read_file(path), path);
}

}  // namespace ballotcast
