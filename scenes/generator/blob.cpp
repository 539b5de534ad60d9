// A geodesic sphere, displaced by octaves of gradient noise.
#include <cmath>

#include "generators.hpp"
#include "noise.hpp"

namespace ballotcast::detail {
namespace {

dvec3 unit(dvec3 v) { return v / std::sqrt(dot(v, v)); }

/// The shape of the blob: how far its surface is from the origin in each direction.
class BlobShape {
 public:
  /// `frequency` is the number of parts that each edge of the icosahedron is divided into. Octaves
  /// of noise that are finer than two of these parts are left out.
  BlobShape(u32 frequency, u32 seed) : seed_(seed) {
    for (double size = 1.3; octaves_ < 9 && size * 1.6 < frequency; size *= 2.1) ++octaves_;
  }

  /// `direction` has length 1.
  double radius(dvec3 direction) const {
    // First bends the space slowly. Otherwise the bumps would show the lattice of the noise.
    const dvec3 w = direction * 1.7;
    const dvec3 p =
        direction + 0.18 * dvec3(gradient_noise(w, seed_ + 101), gradient_noise(w, seed_ + 102),
                                 gradient_noise(w, seed_ + 103));
    double sum = 0.0, amplitude = 0.30, scale = 1.3;
    for (u32 octave = 0; octave < octaves_; ++octave) {
      const double n = gradient_noise(p * scale, seed_ + octave);
      // Odd octaves are folded into creases.
      sum += amplitude * (octave % 2 == 1 ? 0.5 - 1.6 * (n < 0.0 ? -n : n) : n);
      amplitude *= 0.46;
      scale *= 2.1;
    }
    return 1.0 + sum;
  }

 private:
  u32 seed_;
  u32 octaves_ = 0;
};

constexpr u32 kFaces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                               {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                               {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                               {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

dvec3 corner_of(u32 index) {
  const double g = (1.0 + std::sqrt(5.0)) * 0.5;
  const dvec3 corners[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                             {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                             {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  return corners[index];
}

/// Writes the mesh: an icosahedron with subdivided faces, which share the vertices of their
/// borders. The vertices are in this order: 12 corners, 30 edges with frequency - 1 vertices each,
/// and the interiors of 20 faces.
class BlobMesh {
 public:
  BlobMesh(ObjWriter& out, u32 frequency, u32 seed)
      : out_(out), n_(frequency), shape_(frequency, seed) {}

  void write() {
    for (u32 c = 0; c < 12; ++c) put(corner_of(c));
    write_edges();
    for (u32 f = 0; f < 20; ++f) {
      for (u32 row = 1; row < n_; ++row) {
        for (u32 i = 1; i < row; ++i) put(point_in(f, row, i));
      }
    }
    for (u32 f = 0; f < 20; ++f) {
      for (u32 row = 0; row < n_; ++row) {
        for (u32 i = 0; i <= row; ++i) {
          out_.triangle(at(f, row, i), at(f, row + 1, i), at(f, row + 1, i + 1));
          if (i < row) out_.triangle(at(f, row, i), at(f, row + 1, i + 1), at(f, row, i + 1));
        }
      }
    }
  }

 private:
  void put(dvec3 toward) {
    const dvec3 d = unit(toward);
    vec3 t, b;
    frame_around(vec3(d), t, b);
    const double step = 0.4 / n_;
    const dvec3 tangent(t), bitangent(b);
    const double r = shape_.radius(d);
    const auto slope = [&](dvec3 side) {
      return (shape_.radius(unit(d + side * step)) - shape_.radius(unit(d - side * step))) /
             (2.0 * step);
    };
    // The surface r(d) d has the normal r d - grad r.
    out_.vertex(d * r, d * r - tangent * slope(tangent) - bitangent * slope(bitangent));
  }

  dvec3 point_in(u32 f, u32 row, u32 i) const {
    return corner_of(kFaces[f][0]) * static_cast<double>(n_ - row) +
           corner_of(kFaces[f][1]) * static_cast<double>(row - i) +
           corner_of(kFaces[f][2]) * static_cast<double>(i);
  }

  void write_edges() {
    u32 count = 0;
    for (const auto& face : kFaces) {
      for (u32 k = 0; k < 3; ++k) {
        const u32 a = face[k], b = face[(k + 1) % 3];
        if (a > b) continue;  // the neighbouring face has this edge in the other direction
        edge_[a][b] = edge_[b][a] = count++;
        for (u32 i = 1; i < n_; ++i) {
          put(corner_of(a) * static_cast<double>(n_ - i) + corner_of(b) * static_cast<double>(i));
        }
      }
    }
  }

  // The index of vertex i on the edge from corner a (i = 0) to corner b (i = n_).
  u64 on_edge(u32 a, u32 b, u32 i) const {
    if (i == 0) return a;
    if (i == n_) return b;
    const u32 from_low = a < b ? i : n_ - i;
    return 12 + static_cast<u64>(edge_[a][b]) * (n_ - 1) + from_low - 1;
  }

  Corner at(u32 f, u32 row, u32 i) const {
    const u32* c = kFaces[f];
    u64 index;
    if (i == 0) {
      index = on_edge(c[0], c[1], row);
    } else if (i == row) {
      index = on_edge(c[0], c[2], row);
    } else if (row == n_) {
      index = on_edge(c[1], c[2], i);
    } else {
      const u64 n = n_;
      const u64 inside = f * ((n - 1) * (n - 2) / 2);
      const u64 rows_before = static_cast<u64>(row - 1) * (row - 2) / 2;
      index = 12 + 30 * (n - 1) + inside + rows_before + i - 1;
    }
    return {index + 1, index + 1};
  }

  ObjWriter& out_;
  u32 n_;
  BlobShape shape_;
  u32 edge_[12][12] = {};
};

}  // namespace

void make_blob(ObjWriter& out, const SceneRequest& request) {
  const double frequency = std::sqrt(static_cast<double>(request.triangles) / 20.0);
  out.materials({{"clay", {0.72, 0.46, 0.34}}});
  out.group("blob");
  out.use("clay");
  const u32 rounded = static_cast<u32>(frequency + 0.5);
  BlobMesh(out, rounded > 1 ? rounded : 1, request.seed * 7919u).write();
}

}  // namespace ballotcast::detail
