// A scene of very many bumpy spheres at random places.
#pragma once

#include "math/sampling.hpp"
#include "math/trig.hpp"
#include "scene/scene_data.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::testing {

/// A scene of about `triangles` triangles, in spheres of 2208 triangles each. It is the same on
/// every machine.
inline SceneData blobs(u64 triangles) {
  constexpr u32 kRings = 24, kSectors = 2 * kRings;
  constexpr u32 kVertices = (kRings - 1) * kSectors + 2, kFaces = 2 * kSectors * (kRings - 1);
  const u64 count = (triangles + kFaces - 1) / kFaces;
  SceneData scene;
  scene.name = "blobs";
  scene.materials.push_back({});
  scene.material_names.emplace_back("clay");
  Mesh& mesh = scene.mesh;
  mesh.positions = Array<vec3>::unset(count * kVertices);
  mesh.triangles = Array<uvec3>::unset(count * kFaces);
  vec3* const positions = mesh.positions.data();
  uvec3* const faces = mesh.triangles.data();
  const auto unit = [](u32 seed, u32 number) {
    return static_cast<float>(hash_pair(seed, number) >> 8) * 0x1p-24f;
  };
  for_each_index(static_cast<u32>(count), [&](u32 i) {
    const vec3 center(100.0f * unit(i, 0), 100.0f * unit(i, 1), 100.0f * unit(i, 2));
    const float radius = 0.1f + 0.4f * unit(i, 3);
    const u32 first = i * kVertices;
    const auto place = [&](u32 number, double polar, double around) {
      const SinCos p = sincos_turns(polar), a = sincos_turns(around);
      const float reach = radius * (0.9f + 0.2f * unit(i, 4 + number));
      const vec3 at = center + vec3(dvec3(p.sin * a.cos, p.cos, p.sin * a.sin)) * reach;
      positions[first + number] = at + 0.0f;  // adding 0 turns -0 into +0
    };
    for (u32 r = 1; r < kRings; ++r)
      for (u32 s = 0; s < kSectors; ++s)
        place((r - 1) * kSectors + s, 0.5 * r / kRings, double(s) / kSectors);
    const u32 north = kVertices - 2;
    place(north, 0.0, 0.0);
    place(north + 1, 0.5, 0.0);
    const auto at = [&](u32 r, u32 s) { return first + (r - 1) * kSectors + s % kSectors; };
    uvec3* next = faces + u64{i} * kFaces;
    for (u32 s = 0; s < kSectors; ++s) {
      *next++ = {first + north, at(1, s + 1), at(1, s)};
      for (u32 r = 1; r + 1 < kRings; ++r) {
        *next++ = {at(r, s), at(r, s + 1), at(r + 1, s)};
        *next++ = {at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)};
      }
      *next++ = {at(kRings - 1, s), at(kRings - 1, s + 1), first + north + 1};
    }
  });
  return scene;
}

}  // namespace ballotcast::detail::testing
