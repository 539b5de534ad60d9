// Writes meshes as files of several formats, which keep every bit of the positions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail::testing {

/// The shortest text that is read back as the same number.
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

inline std::string as_off(const Mesh& mesh) {
  std::string text = "OFF\n" + std::to_string(mesh.positions.size()) + " " +
                     std::to_string(mesh.triangles.size()) + " 0\n";
  for (const vec3 p : mesh.positions)
    text += exact(p.x) + " " + exact(p.y) + " " + exact(p.z) + "\n";
  for (const uvec3 t : mesh.triangles)
    text +=
        "3 " + std::to_string(t.x) + " " + std::to_string(t.y) + " " + std::to_string(t.z) + "\n";
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

/// A binary STL. Its header begins with "solid", as in the files of many programs.
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

/// `bytes` in base 64.
inline std::string base64(const std::string& bytes) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    u32 three = 0;
    for (std::size_t k = i; k < i + 3; ++k)
      three = three << 8 | (k < bytes.size() ? static_cast<u8>(bytes[k]) : 0u);
    for (u32 k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// The bytes of a glTF buffer: positions, then indices.
inline std::string gltf_buffer(const Mesh& mesh) {
  std::string bytes;
  for (const vec3 p : mesh.positions)
    for (const float c : {p.x, p.y, p.z}) append_bytes(bytes, c);
  for (const uvec3 t : mesh.triangles)
    for (const u32 corner : {t.x, t.y, t.z}) append_bytes(bytes, corner);
  return bytes;
}

/// The JSON of a glTF file with the buffer of gltf_buffer(). `uri` is the member of the buffer that
/// names its bytes, followed by a comma; or "".
inline std::string gltf_json(const Mesh& mesh, const std::string& uri) {
  const std::string vertices = std::to_string(mesh.positions.size()),
                    positions = std::to_string(mesh.positions.size() * 12),
                    corners = std::to_string(mesh.triangles.size() * 3),
                    indices = std::to_string(mesh.triangles.size() * 12),
                    all = std::to_string(gltf_buffer(mesh).size());
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
"nodes": [{"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": )" +
         vertices + R"(},
{"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": )" +
         corners + R"(}],
"bufferViews": [{"buffer": 0, "byteLength": )" +
         positions + R"(},
{"buffer": 0, "byteOffset": )" +
         positions + R"(, "byteLength": )" + indices + R"(}],
"buffers": [{)" +
         uri + R"("byteLength": )" + all + "}]}";
}

/// A glTF file that contains its buffer as a data URI.
inline std::string as_gltf(const Mesh& mesh) {
  return gltf_json(mesh, "\"uri\": \"data:application/octet-stream;base64," +
                             base64(gltf_buffer(mesh)) + "\", ");
}

/// A binary glTF file.
inline std::string glb_of(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  append_bytes(bytes, 2u);
  append_bytes(bytes, static_cast<u32>(12 + 8 + json.size() + 8 + binary.size()));
  append_bytes(bytes, static_cast<u32>(json.size()));
  bytes += "JSON" + json;
  append_bytes(bytes, static_cast<u32>(binary.size()));
  return bytes + std::string("BIN\0", 4) + binary;
}

inline std::string as_glb(const Mesh& mesh) {
  return glb_of(gltf_json(mesh, ""), gltf_buffer(mesh));
}

}  // namespace ballotcast::detail::testing
