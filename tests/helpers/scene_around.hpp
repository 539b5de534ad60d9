// A scene on a machine that passes every call on to another one. Tests change some of the calls.
#pragma once

#include <memory>

#include "backends/backend.hpp"

namespace ballotcast::detail::testing {

class SceneAround : public ResidentScene {
 public:
  explicit SceneAround(std::unique_ptr<ResidentScene> scene) : scene_(std::move(scene)) {}

  CastCounts cast(RayKind kind, const WorldRays& rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice) override {
    return scene_->cast(kind, rays, hits, visits, count, choice);
  }
  void begin_work(u32 rays, u64 bytes) override { scene_->begin_work(rays, bytes); }
  void count_crossings(const WorldRays& rays, u32* counts, u64 count) override {
    scene_->count_crossings(rays, counts, count);
  }
  void crossings(const WorldRays& rays, const u64* starts, Hit* hits, u64 count) override {
    scene_->crossings(rays, starts, hits, count);
  }
  void closest_points(const WorldPoints<Vec3f>& points, float max_distance, Nearest* nearest,
                      u64 count) override {
    scene_->closest_points(points, max_distance, nearest, count);
  }
  void contains(const WorldPoints<Vec3d>& points, InsideRule rule, u8* inside, u64 count) override {
    scene_->contains(points, rule, inside, count);
  }
  void winding_numbers(const WorldPoints<Vec3d>& points, double* numbers, u64 count) override {
    scene_->winding_numbers(points, numbers, count);
  }
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
