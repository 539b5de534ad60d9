// Trees of tinybvh, behind plain numbers.
//
// Its header is compiled with optimizations that this project leaves out because they change bits.
// The file that includes it must hold no inline function of this project: of such a function, the
// linker keeps the code of any one file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ballotcast::detail::tinybvh_peer {

/// A ray from t = 0 to `reach`, in units of the length of its direction.
struct PlainRay {
  float origin[3], direction[3];
  float reach;
};

/// `t` is a distance, whatever the length of the direction.
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

/// A layout and a builder.
struct Mode {
  std::string_view name;
  /// Builds the tree of `count` triangles. A corner is four floats, of which the last has no
  /// meaning; corners must outlive the tree.
  std::unique_ptr<Tree> (*build)(const float* corners, std::uint32_t count);
};

std::span<const Mode> modes();

}  // namespace ballotcast::detail::tinybvh_peer
