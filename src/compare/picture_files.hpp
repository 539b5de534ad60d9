// Compares two picture files: pictures of 8 or 16 bits per sample, linear ones, or pictures of ids.
// Also pairs the files of two folders by their names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/picture_pair.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr u32 kDefaultBlock = 16;  // side of the blocks that are compared in linear pictures

/// How to compare two files.
struct FileCompareOptions {
  std::vector<Rectangle> ignore;
  std::string ignore_where;  // name of a picture file for CompareOptions::ignore_where, or ""
  bool ids = false;          // true if the pictures hold ids: see ids_of
  // For linear pictures only:
  std::optional<u32> block;  // the side of the blocks whose means are compared
  // Exposure of the 8-bit pictures; if absent, exposure_for() chooses it for the reference
  std::optional<float> exposure;
};

/// What a FileComparison has in addition if the pictures are linear.
struct LinearReport {
  LinearComparison comparison;
  float exposure = 1.0f;          // exposure with which both pictures were converted to 8 bits
  Image<Rgb8> reference, result;  // the resulting 8-bit pictures
};

/// Two files and how they differ.
struct FileComparison {
  SampledImage reference, result;      // the pictures, for linear ones converted to 8 bits
  std::optional<LinearReport> linear;  // present if the pictures are linear
  // True if the pictures hold ids; then the comparison has no metrics and no max_error
  bool are_ids = false;
  PicturePair pair;
  Comparison comparison;
};

/// Reads and compares two files. Throws InputError, which names the file, if one can't be read, or
/// if only one of them is linear. Throws UsageError in the same cases as paired().
FileComparison compared_files(const std::string& reference, const std::string& result,
                              const FileCompareOptions& options);

// The pictures of two folders, paired by their names.

/// The name of a picture that is in one or both of two folders.
struct FolderEntry {
  std::string name;  // path relative to its folder, with /
  bool in_reference = false;
  bool in_result = false;
};

/// The pictures in two folders and in all folders below them.
struct FolderPair {
  std::vector<FolderEntry> entries;  // sorted by name
  std::vector<std::string> others;   // paths of files that are not pictures
};

/// The file name extensions of the pictures that can be compared, for messages: ".png, .pfm, ...".
std::string picture_endings();

/// Lists the pictures of two folders. Does not follow links to folders. Throws InputError if a
/// folder can't be read, or if neither folder has a picture.
FolderPair paired_folders(const std::string& reference, const std::string& result);

// Pictures of ids. An id is e.g. the number of a triangle. Two ids are equal or different; the size
// of their difference means nothing.

/// The ids of a picture file, as a picture that can be compared: red has the upper 16 bits of each
/// id, green the lower 16. Ids can be stored as the grey values of a PNG, as the colours 0xrrggbb
/// of an 8-bit PNG, as the integers of an OpenEXR file with one channel, or as the bits of the
/// floats of such a file or of a grey PFM. Throws InputError, which names the file, for other
/// pictures.
BALLOTCAST_API SampledImage ids_of(const std::vector<u8>& bytes, const std::string& name);

/// The id of a pixel of a picture that ids_of has returned.
inline u32 id_in(const u16* pixel) { return u32{pixel[0]} << 16 | pixel[1]; }

/// A picture that shows each id in a colour of its own; id 0 is black, and the id with all bits set
/// is grey.
Image<Rgb8> colors_of(const SampledImage& ids);

}  // namespace ballotcast::detail
