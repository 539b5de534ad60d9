// Compares two picture files of any kind: pictures of 8 or 16 bits per sample, or linear ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "compare/linear.hpp"
#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

inline constexpr u32 kDefaultBlock = 16;  // side of the blocks of linear pictures

/// How to compare two files.
struct FileCompareOptions {
  std::vector<Rectangle> ignore;
  std::string ignore_where;  // a picture file (CompareOptions::ignore_where), or ""
  bool ids = false;          // the pictures have ids: see ids.hpp
  // Of linear pictures only.
  std::optional<u32> block;       // the side of the blocks whose means are compared
  std::optional<float> exposure;  // if absent, one that suits the reference
};

/// What a comparison says of two linear pictures in addition.
struct LinearReport {
  LinearComparison comparison;
  float exposure = 1.0f;          // with which both became 8-bit pictures
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

}  // namespace ballotcast::detail
