// The lights of a scene in the form that kernels use: sun, sky and lamps.
#pragma once

#include "scene/scene.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Arrays from which kernels choose lights.
struct LightTables {
  Array<u32> emitters;               // ids of emitting triangles, in ascending order
  Array<float> emitters_cumulative;  // see EmitterView
  Array<float> sky_rows;             // see SkyMapView; empty without a picture of the sky
  Array<float> sky_columns;
  Array<float> sky_heights;
};

/// Computes the tables of a scene's lights.
LightTables light_tables_of(const SceneData& scene);

/// Computes the lamps of these tables anew, after vertices have moved.
void find_lamps_again(const SceneData& scene, LightTables& tables);

/// Sets sun, sky and the number of lamps in `view`. Leaves the pointers to arrays as they are.
void set_lights(const SceneData& scene, const LightTables& tables, SceneView& view);

}  // namespace ballotcast::detail
