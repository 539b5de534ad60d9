// A scene on a machine that forwards every call to another scene. Tests override some of its
// functions.
#pragma once

#include <memory>

#include "backends/device/resident_scene.hpp"
#include "kernels/frame/drawn_frame.hpp"

namespace ballotcast::detail::testing {

class SceneAround : public ResidentScene {
 public:
  explicit SceneAround(std::unique_ptr<ResidentScene> scene) : scene_(std::move(scene)) {}

  CastCounts answer(const Query& query) override { return scene_->answer(query); }
  void begin_work(u32 rays, u64 bytes) override { scene_->begin_work(rays, bytes); }
  std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) override {
    return scene_->keep(kind, rays, count);
  }
  void follow(Moved moved) override { scene_->follow(moved); }
  DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                  const Progress& report) override {
    return scene_->draw(settings, choice, report);
  }
  DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) override {
    return scene_->develop(settings, films);
  }

 private:
  std::unique_ptr<ResidentScene> scene_;
};

}  // namespace ballotcast::detail::testing
