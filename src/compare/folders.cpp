#include "compare/folders.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kEndings = {".png", ".jpg", ".jpeg", ".webp",
                                                      ".bmp", ".pfm", ".hdr",  ".exr"};

bool is_picture(const fs::path& path) {
  return std::ranges::find(kEndings, lowered(path.extension().string())) != kEndings.end();
}

/// Calls visit(path, name) for each file in `folder` and in the folders in it.
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

}  // namespace ballotcast::detail
