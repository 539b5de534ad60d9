// The pictures of two folders, paired by their names.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

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

}  // namespace ballotcast::detail
