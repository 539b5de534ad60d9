// Writes meshes as files of several formats, with every bit of their positions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail::testing {

/// The shortest text that is read as the same number.
inline std::string exact(float number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// Appends the bytes of a number.
template <class Number>
void append_bytes(std::string& to, Number number, bool big_endian = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  to.append(bytes.data(), bytes.size());
}

inline std::string as_obj(const Mesh& mesh) {
  std::string text;
  for (const vec3 p : mesh.positions)
    text += "v " + exact(p.x) + " " + exact(p.y) + " " + exact(p.z) + "\n";
  for (const uvec3 t : mesh.triangles)
    text += "f " + std::to_string(t.x + 1) + " " + std::to_string(t.y + 1) + " " +
            std::to_string(t.z + 1) + "\n";
  return text;
}

enum class Ply { ascii, little, big };

inline std::string as_ply(const Mesh& mesh, Ply kind) {
  const char* const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  std::string text = std::string("ply\nformat ") + names[static_cast<int>(kind)] +
                     " 1.0\nelement vertex " + std::to_string(mesh.positions.size()) +
                     "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
                     std::to_string(mesh.triangles.size()) +
                     "\nproperty list uchar int vertex_indices\nend_header\n";
  const bool big = kind == Ply::big;
  for (const vec3 p : mesh.positions) {
    if (kind == Ply::ascii) {
      text += exact(p.x) + " " + exact(p.y) + " " + exact(p.z) + "\n";
      continue;
    }
    for (const float c : {p.x, p.y, p.z}) append_bytes(text, c, big);
  }
  for (const uvec3 t : mesh.triangles) {
    if (kind == Ply::ascii) {
      text +=
          "3 " + std::to_string(t.x) + " " + std::to_string(t.y) + " " + std::to_string(t.z) + "\n";
      continue;
    }
    append_bytes(text, u8{3});
    for (const u32 corner : {t.x, t.y, t.z}) append_bytes(text, corner, big);
  }
  return text;
}

inline std::string as_stl_text(const Mesh& mesh) {
  std::string text = "solid mesh\n";
  for (const uvec3 t : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const u32 corner : {t.x, t.y, t.z}) {
      const vec3 p = mesh.positions[corner];
      text += "  vertex " + exact(p.x) + " " + exact(p.y) + " " + exact(p.z) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid mesh\n";
}

/// A binary STL. Its header begins with "solid", as those of many programs do.
inline std::string as_stl_binary(const Mesh& mesh) {
  std::string bytes = "solid binary";
  bytes.resize(80, ' ');
  append_bytes(bytes, static_cast<u32>(mesh.triangles.size()));
  for (const uvec3 t : mesh.triangles) {
    bytes.append(12, '\0');
    for (const u32 corner : {t.x, t.y, t.z}) {
      const vec3 p = mesh.positions[corner];
      for (const float c : {p.x, p.y, p.z}) append_bytes(bytes, c);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

}  // namespace ballotcast::detail::testing
