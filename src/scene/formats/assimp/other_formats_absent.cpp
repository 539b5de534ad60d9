// Stands in for other_formats.cpp in programs that are built without assimp.
#include "scene/formats/mesh_formats.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

const std::vector<std::string>& other_suffixes() {
  static const std::vector<std::string> none;
  return none;
}

SceneData load_other(const std::string& path, const LoadOptions&) {
  throw InputError(path + ": this program was built without assimp");
}

}  // namespace ballotcast::detail
