#include "bench/rays/embree_library.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "support/text.hpp"

namespace ballotcast::detail::embree {

bool Library::open(const char* file, std::string& why) {
  module_ = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!module_ && why.empty()) why = one_line(::dlerror());
  return module_ != nullptr;
}

void Library::load() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  absent = "sanitizers can't look into a library that is opened at run time";
  return;
#endif
  const char* const given = std::getenv(kVariable);
  if (given && *given != '\0') {
    if (!open(given, absent)) return;
  } else {
    std::string why;
    const bool found = open("libembree4.so.4", why) || open("libembree3.so.3", why);
    if (!found) {
      absent = why + "; install Embree, or set " + kVariable + " to the file of its library";
      return;
    }
  }
  std::string missing;
  const auto find = [&](auto*& function, const char* name) {
    void* const symbol = ::dlsym(module_, name);
    if (!symbol) missing = name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  find(new_device, "rtcNewDevice");
  find(release_device, "rtcReleaseDevice");
  find(property, "rtcGetDeviceProperty");
  find(error, "rtcGetDeviceError");
  find(new_scene, "rtcNewScene");
  find(release_scene, "rtcReleaseScene");
  find(set_scene_flags, "rtcSetSceneFlags");
  find(set_scene_quality, "rtcSetSceneBuildQuality");
  find(commit_scene, "rtcCommitScene");
  find(new_geometry, "rtcNewGeometry");
  find(release_geometry, "rtcReleaseGeometry");
  find(set_geometry_quality, "rtcSetGeometryBuildQuality");
  find(new_buffer, "rtcSetNewGeometryBuffer");
  find(commit_geometry, "rtcCommitGeometry");
  find(attach, "rtcAttachGeometry");
  constexpr const char* kCasts[3][2] = {{"rtcIntersect1", "rtcOccluded1"},
                                        {"rtcIntersect8", "rtcOccluded8"},
                                        {"rtcIntersect16", "rtcOccluded16"}};
  for (u32 k = 0; k < 3u; ++k)
    for (u32 any = 0; any < 2u; ++any) find(casts_[k][any], kCasts[k][any]);
  ::Dl_info where;
  if (missing.empty() && ::dladdr(reinterpret_cast<void*>(new_device), &where) != 0)
    path = where.dli_fname;
  else if (given)
    path = given;
  if (!missing.empty()) {
    absent = path + ": it is not Embree 3 or 4: it has no " + missing;
    return;
  }
  const Handle device = new_device(nullptr);
  const auto number = [&](i32 which) { return device ? property(device, which) : 0; };
  const i64 major = number(1);
  version =
      std::to_string(major) + "." + std::to_string(number(2)) + "." + std::to_string(number(3));
  if (device) release_device(device);
  is_4_ = major == 4;
  if (major != 3 && major != 4)
    absent = path + ": it is Embree " + version + "; this program knows 3 and 4";
}

const Library& library() {
  static const Library loaded = [] {
    Library all;
    all.load();
    return all;
  }();
  return loaded;
}

}  // namespace ballotcast::detail::embree
