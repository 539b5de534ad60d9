// The generators of make_scene, and the table of their names.
#pragma once

#include <array>

#include "writer.hpp"

namespace ballotcast::detail {

/// A request to a generator: the approximate number of triangles, and the seed of its random
/// numbers.
struct SceneRequest {
  u64 triangles;
  u32 seed;
};

/// A two-storey colonnaded courtyard, open to the sky. x is its long axis, the floor is y = 0. The
/// court is |z| < 3.6, and galleries extend to |z| = 7.3. It has 7 bays, each 3.4 m long
/// (|x| < 11.9), from about 10 000 triangles on, 5 bays (|x| < 8.5) from 8 000 on, and fewer below.
void make_atrium(ObjWriter& out, const SceneRequest& request);

/// A rough closed surface around the origin with a radius of about 1: a displaced geodesic sphere.
void make_blob(ObjWriter& out, const SceneRequest& request);

/// A square height field, 400 m wide, around the origin: lakes, grass, rock and snow.
void make_terrain(ObjWriter& out, const SceneRequest& request);

/// Triangles that are hard for intersectors and builders, within 10 m of the origin (see
/// slivers.cpp).
void make_slivers(ObjWriter& out, const SceneRequest& request);

struct GeneratorRow {
  const char* name;
  const char* description;
  u64 default_triangles;
  void (*make)(ObjWriter&, const SceneRequest&);
};

inline constexpr std::array<GeneratorRow, 4> kGenerators{{
    {"atrium", "a two-storey colonnaded courtyard, open to the sky", 8000, make_atrium},
    {"blob", "a rough closed surface with smooth normals", 5120, make_blob},
    {"terrain", "a square mountain landscape", 5000, make_terrain},
    {"slivers", "needles, fans, duplicates and other hard triangles", 2000, make_slivers},
}};

}  // namespace ballotcast::detail
