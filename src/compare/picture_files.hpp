// Compares two picture files of any kind: pictures of 8 or 16 bits per sample, linear ones, or ids.
// Finds the files of two folders that belong together.
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

inline constexpr u32 kDefaultBlock = 16;  // side of the blocks of linear pictures

/// How to compare two files.
struct FileCompareOptions {
  std::vector<Rectangle> ignore;
  std::string ignore_where;  // a picture file (CompareOptions::ignore_where), or ""
  bool ids = false;          // the pictures have ids: see ids_of
  // For linear pictures only:
  std::optional<u32> block;       // the side of the blocks whose means are compared
  std::optional<float> exposure;  // if absent, one that suits the reference
};

/// What is reported in addition about two linear pictures.
struct LinearReport {
  LinearComparison comparison;
  float exposure = 1.0f;          // for the conversion of both to 8 bits
  Image<Rgb8> reference, result;  // these 8-bit pictures
};

/// Two files and how they differ.
struct FileComparison {
  SampledImage reference, result;      // of linear pictures, their 8-bit pictures
  std::optional<LinearReport> linear;  // if the pictures are linear
  bool are_ids = false;                // then the comparison has no metrics and no max_error
  PicturePair pair;
  Comparison comparison;
};

/// Reads and compares two files. Throws InputError, which names the file, if one can't be read, or
/// if one is linear and the other is not; and UsageError as paired() does.
FileComparison compared_files(const std::string& reference, const std::string& result,
                              const FileCompareOptions& options);

// The pictures of two folders, paired by their names.

/// A picture that at least one of two folders has.
struct FolderEntry {
  std::string name;  // relative to the folders, with /
  bool in_reference = false;
  bool in_result = false;
};

/// The pictures of two folders and of the folders in them.
struct FolderPair {
  std::vector<FolderEntry> entries;  // sorted by name
  std::vector<std::string> others;   // files that are no pictures, as paths
};

/// The endings of picture files that are compared, for messages: ".png, .pfm, ...".
std::string picture_endings();

/// Lists the pictures of two folders. Links to folders are not followed. Throws InputError if a
/// folder can't be read, or if none of them has a picture.
FolderPair paired_folders(const std::string& reference, const std::string& result);

// Pictures of ids, such as the numbers of triangles. Two ids are equal or different; the size of
// their difference means nothing.

/// The ids of a picture file, as a picture that can be compared: red has the upper 16 bits of an
/// id, green the lower ones. An id is the grey value of a PNG, the colour of an 8-bit PNG as
/// 0xrrggbb, the integer in an OpenEXR file of one channel, or the bits of the float in such a file
/// or in a grey PFM. Throws InputError, which names the file, for other pictures.
BALLOTCAST_API SampledImage ids_of(const std::vector<u8>& bytes, const std::string& name);

/// The id in a pixel of such a picture.
inline u32 id_in(const u16* pixel) { return u32{pixel[0]} << 16 | pixel[1]; }

/// Shows each id in a colour of its own; 0 is black, and all bits set is grey.
Image<Rgb8> colors_of(const SampledImage& ids);

}  // namespace ballotcast::detail
