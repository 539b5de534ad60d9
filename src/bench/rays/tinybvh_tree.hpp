// Builds and traverses trees of tinybvh. The interface consists of plain numbers only.
//
// tinybvh's header is compiled with optimizations that this project avoids because they change
// bits. So the file that includes it must contain no inline function of this project: the linker
// keeps the code of only one file for each inline function.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ballotcast::detail::tinybvh_peer {

/// A ray from t = 0 to t = `reach`; t is in lengths of the direction.
struct PlainRay {
  float origin[3], direction[3];
  float reach;
};

/// The hit of a PlainRay. `t` is a distance, whatever the length of the direction.
struct PlainHit {
  bool found;
  float t, u, v;
  std::uint32_t triangle;
};

class Tree {
 public:
  virtual ~Tree() = default;
  virtual PlainHit closest(const PlainRay& ray) const = 0;
  virtual bool any(const PlainRay& ray) const = 0;
};

/// A configuration of tinybvh: a layout and a builder.
struct Mode {
  std::string_view name;
  /// Builds the tree of `count` triangles. Each vertex is four floats, of which the last has no
  /// meaning. The vertices must outlive the tree.
  std::unique_ptr<Tree> (*build)(const float* corners, std::uint32_t count);
};

std::span<const Mode> modes();

}  // namespace ballotcast::detail::tinybvh_peer
