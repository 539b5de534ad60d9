// What a caller may ask for: where to cast, how to cast, what picture to draw.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ballotcast/scene.hpp"

namespace ballotcast {

/// Told how far a long work is: `done` of `total`, both in the same unit. One call at a time, but
/// perhaps from another thread than the caller's.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// How rays are cast. No field changes a hit or a pixel; tables.hpp lists the names.
struct CastOptions {
  std::string pipeline = "auto";  ///< how kernels take turns: a name of pipelines(), or auto
  std::string atomics =
      "auto";  ///< how lanes report staged leaves: a name of strategies(), or auto
  std::uint32_t block_size = 256;  ///< lanes per block: a multiple of 32 from 32 to 1024
  std::string loop = "auto";  ///< who reads the counter: auto, host, host:K (every K passes), graph
  std::uint32_t passes = 0;   ///< passes to run, for a strategy that counts nothing; 0: count first
};

/// Where rays are cast, and through which tree. No field changes a hit or a pixel.
struct RendererOptions {
  std::string device = "auto";       ///< a name of devices(), or auto: a GPU if there is one
  std::string builder = "balanced";  ///< a name or an effort of builders()
  std::string layout = "auto";       ///< a name of layouts(), or auto
  Progress progress = {};            ///< told how far the tree is, in triangles
  /// Bytes of device memory that the scene and the work on it may take together. None: all that is
  /// free on a GPU, and no limit elsewhere. With less memory, fewer rays are under way at a time.
  /// What the driver and the operating system need, and results in host memory, do not count.
  std::optional<std::uint64_t> max_memory = {};
};

/// What a picture shows.
struct RenderSettings {
  std::uint32_t width = 1920;   ///< pixels, at most 32768
  std::uint32_t height = 1080;  ///< pixels, at most 32768; at most 2^28 pixels in all
  CameraSettings camera = {};   ///< parts that are left out: the scene's, else they frame the scene
  std::string shading = "";     ///< a name of shadings(); "": the scene's wish, else lit
  std::uint32_t samples = 0;    ///< samples per pixel, at most 65536; 0: what the shading likes
  std::uint32_t bounces = 2;    ///< how often light bounces in `lit`, at most 16
  std::optional<float> exposure = {};  ///< factor on all light in `lit`, 0 to 1e6; else the
                                       ///< scene's, else one that fits the picture
  bool smooth = true;      ///< smooth noisy light in `lit`, in pictures of up to 2^25 pixels
  bool keep_hits = false;  ///< return the hits of the camera rays too
  CastOptions cast = {};   ///< how the rays are cast
};

}  // namespace ballotcast
