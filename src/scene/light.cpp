#include "scene/light.hpp"

namespace ballotcast::detail {

namespace {

/// Calls visit(member of `a`, same member of `b`) for every member.
template <class A, class B, class Visit>
void each_member_of_sun(A& a, B& b, Visit visit) {
  visit(a.direction, b.direction);
  visit(a.color, b.color);
  visit(a.strength, b.strength);
}
template <class A, class B, class Visit>
void each_member_of_sky(A& a, B& b, Visit visit) {
  visit(a.zenith, b.zenith);
  visit(a.horizon, b.horizon);
  visit(a.ground, b.ground);
  visit(a.strength, b.strength);
  visit(a.turn, b.turn);
}

constexpr auto kTakeStated = [](auto& to, const auto& stated) {
  if (stated) to = *stated;
};

}  // namespace

bool is_stated(const SunSettings& sun) { return sun.direction || sun.color || sun.strength; }

bool is_stated(const SkySettings& sky) {
  return sky.file || sky.zenith || sky.horizon || sky.ground || sky.strength || sky.turn;
}

void state_over(SunSettings& settings, const SunSettings& stated) {
  each_member_of_sun(settings, stated, kTakeStated);
}

void state_over(SkySettings& settings, const SkySettings& stated) {
  if (stated.file) settings.file = stated.file;
  each_member_of_sky(settings, stated, kTakeStated);
}

Light light_of(const SceneData& scene) {
  Light light;
  if (scene.has_emitters()) {
    if (!is_stated(scene.sun)) light.sun.strength = 0.0f;
    if (!is_stated(scene.sky)) light.sky.strength = 0.0f;
  }
  if (!scene.sky_map.pixels.empty() && !is_stated(scene.sun)) light.sun.strength = 0.0f;
  each_member_of_sun(light.sun, scene.sun, kTakeStated);
  each_member_of_sky(light.sky, scene.sky, kTakeStated);
  return light;
}

}  // namespace ballotcast::detail
