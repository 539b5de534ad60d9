// Builds glTF files from texts, for tests.
#pragma once

#include <string>
#include <vector>

#include "helpers/mesh_files.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail::testing {

/// Builds glTF files whose parts are JSON texts.
struct Gltf {
  std::string buffer;
  std::string views, accessors;
  u32 accessor_count = 0;
  std::string nodes = R"({"mesh": 0})", roots = "0", primitive = R"("attributes": {"POSITION": 0})";
  std::string more;  // further members of the file, each with a comma before it

  /// Adds an accessor with its own buffer view. Returns the accessor's index.
  template <class Number>
  u32 add(const std::vector<Number>& numbers, const std::string& type, u32 component, u32 width,
          const std::string& further = "") {
    const std::size_t begin = buffer.size();
    for (const Number number : numbers) append_bytes(buffer, number);
    const std::string comma = accessor_count == 0 ? "" : ", ";
    views += comma + R"({"buffer": 0, "byteOffset": )" + std::to_string(begin) +
             R"(, "byteLength": )" + std::to_string(buffer.size() - begin) + "}";
    accessors += comma + R"({"bufferView": )" + std::to_string(accessor_count) + R"(, "type": ")" +
                 type + R"(", "componentType": )" + std::to_string(component) + R"(, "count": )" +
                 std::to_string(numbers.size() / width) + further + "}";
    return accessor_count++;
  }
  u32 add_floats(const std::vector<float>& numbers, u32 width, const std::string& further = "") {
    return add(numbers, width == 1 ? "SCALAR" : "VEC" + std::to_string(width), 5126, width,
               further);
  }

  std::string json(const std::string& uri = "") const {
    return R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [)" + roots +
           R"(]}], "nodes": [)" + nodes + R"(], "meshes": [{"primitives": [{)" + primitive +
           R"(}]}], "accessors": [)" + accessors + R"(], "bufferViews": [)" + views +
           R"(], "buffers": [{)" + uri + R"("byteLength": )" + std::to_string(buffer.size()) +
           "}]" + more + "}";
  }
  std::string data_uri() const {
    return R"("uri": "data:application/octet-stream;base64,)" + base64(buffer) + R"(", )";
  }
};

/// A glTF file with one triangle in the plane z = 0.
inline Gltf triangle() {
  Gltf gltf;
  gltf.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, 3);
  return gltf;
}

/// A glTF file with two triangles. One rotates about y within a second; the other does not move.
inline std::string turning_triangle() {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 1, 0, 0, 1, 0, 0, 1}, 3);
  gltf.add_floats({0, 0.5f, 1}, 1);
  gltf.add_floats({0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 1, 0, 0}, 4);
  gltf.primitive = R"("attributes": {"POSITION": 0, "NORMAL": 1})";
  gltf.nodes = R"({"mesh": 0}, {"mesh": 0, "translation": [-1, 0, 0]})";
  gltf.roots = "0, 1";
  gltf.more = R"(, "animations": [{"channels": [{"sampler": 0, "target": {"node": 0,
    "path": "rotation"}}], "samplers": [{"input": 2, "output": 3}]}])";
  return gltf.json(gltf.data_uri());
}

/// Options with which nodes become instances if copies would have more than `most` triangles.
inline LoadOptions copying(u64 most) {
  LoadOptions options;
  options.most_copied = most;
  return options;
}

inline SceneData load(const std::string& bytes, const LoadOptions& options = {}) {
  return load_as("a.gltf", bytes, options);
}
inline SceneData load(const Gltf& gltf, const LoadOptions& options = {}) {
  return load(gltf.json(gltf.data_uri()), options);
}
inline std::string refusal(const std::string& bytes) {
  return message_of<InputError>([&] { load(bytes); });
}
inline std::string refusal(const Gltf& gltf) { return refusal(gltf.json(gltf.data_uri())); }

}  // namespace ballotcast::detail::testing
