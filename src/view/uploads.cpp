#include "view/uploads.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

bool ends_like_mesh(const std::string& name) {
  std::string small = lowered(name);
  if (small.ends_with(".gz")) small.resize(small.size() - 3);
  const auto formats = mesh_formats();
  return std::any_of(formats.begin(), formats.end(),
                     [&](const MeshFormat& format) { return small.ends_with(format.suffix); });
}

bool ends_like_scene(const std::string& name) {
  const std::string small = lowered(name);
  return small.ends_with(kSceneFileSuffix) || small.ends_with(".bcast");
}

constexpr std::size_t kLongestName = 255;  // bytes of a path; the limit of file systems

/// Throws UsageError unless `name` is the path of a file below its folder.
void require_inside(const std::string& name) {
  const fs::path path(name);
  const bool plain =
      !name.empty() && name.size() <= 1000 && path.is_relative() && path.has_filename() &&
      std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == 127; }) &&
      std::none_of(path.begin(), path.end(), [](const fs::path& component) {
        return component == ".." || component == "." || component.native().size() > kLongestName;
      });
  if (!plain) throw UsageError("a sent file can't be called " + quoted_name(name));
}

}  // namespace

BodySink Upload::add(const std::shared_ptr<Upload>& upload, const std::string& name) {
  require_inside(name);
  std::vector<std::string>& names = upload->names_;
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw UsageError(quoted_name(name) + " was sent twice");
  if (names.size() == kMostUploadedFiles)
    throw InputError("at most " + std::to_string(kMostUploadedFiles) + " files can be sent");
  const fs::path path = upload->folder_.file(name.c_str());
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  auto file = std::make_shared<std::ofstream>(path, std::ios::binary);
  if (failure || !*file) throw OutputError(quoted_name(name) + " can't be stored");
  names.push_back(name);
  return [upload, file, name](const char* bytes, std::size_t count) {
    if ((upload->bytes_ += count) > kMostUploadedBytes)
      throw InputError(name + ": more than " + bytes_in_words(kMostUploadedBytes) + " were sent");
    if (!file->write(bytes, static_cast<std::streamsize>(count)).flush())
      throw OutputError(name + ": can't be stored; is the disk full?");
  };
}

SceneRequest Upload::request() const {
  SceneRequest request;
  std::vector<std::string> scenes, meshes;
  for (const std::string& name : names_) {
    if (ends_like_scene(name))
      scenes.push_back(name);
    else if (ends_like_mesh(name))
      meshes.push_back(name);
  }
  if (scenes.size() > 1)
    throw InputError("there are several scene files: " + scenes[0] + ", " + scenes[1] +
                     "; send one of them");
  if (scenes.empty() && meshes.empty())
    throw InputError("none of the files is a scene that can be read: " + kinds_of_scenes("or"));
  if (!scenes.empty() || meshes.size() == 1)
    request.file = folder_.file((scenes.empty() ? meshes : scenes)[0].c_str());
  else
    for (const std::string& mesh : meshes)
      request.meshes.push_back({folder_.file(mesh.c_str()), {}});
  return request;
}

BodySink Uploads::add(const std::string& page, const std::string& name, bool first) {
  const std::lock_guard lock(mutex_);
  if (!uploads_.contains(page) && uploads_.size() == kMost) uploads_.erase(uploads_.begin());
  std::shared_ptr<Upload>& upload = uploads_[page];
  if (first || !upload) upload = std::make_shared<Upload>();
  return Upload::add(upload, name);
}

std::shared_ptr<Upload> Uploads::take(const std::string& page) {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(page);
  if (found == uploads_.end()) throw UsageError("no files were sent");
  // Each sink of the upload holds a reference to it.
  if (found->second.use_count() > 1) throw UsageError("not all files have been received yet");
  std::shared_ptr<Upload> upload = std::move(found->second);
  uploads_.erase(found);
  return upload;
}

}  // namespace ballotcast::detail
