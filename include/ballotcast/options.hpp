// The options of a caller: where to cast, how to cast, what picture to draw.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ballotcast/scene.hpp"

namespace ballotcast {

/// Reports the progress of long work: `done` of `total`, in an arbitrary unit. Never called by two
/// threads at once, but maybe from another thread than the caller's.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// How to cast rays. No field changes a hit or a pixel. tables.hpp lists the names.
struct CastOptions {
  /// How walking and testing alternate: a name of pipelines(), or auto.
  std::string pipeline = "auto";
  std::string atomics =
      "auto";  ///< how lanes report staged leaves: a name of strategies(), or auto
  std::uint32_t block_size = 256;  ///< lanes per block: a multiple of 32 from 32 to 1024
  std::string loop = "auto";  ///< who reads the counter: auto, host, host:K (every K passes), graph
};

/// The device that casts rays, and the tree. No field changes a hit or a pixel.
struct RendererOptions {
  std::string device = "auto";       ///< a name of devices(), or auto: a GPU if there is one
  std::string builder = "balanced";  ///< a name or an effort of builders()
  std::string layout = "auto";       ///< a name of layouts(), or auto
  Progress progress = {};            ///< reports the progress of building the tree, in triangles
  /// The most bytes of device memory that the scene and the work on it may take together. If
  /// absent: all that is free on a GPU, and no limit elsewhere. With less memory, fewer rays are
  /// processed at a time. Memory of the driver and the operating system, and results in host
  /// memory, do not count.
  std::optional<std::uint64_t> max_memory = {};
};

/// How a picture is drawn.
struct RenderSettings {
  std::uint32_t width = 1920;   ///< pixels, at most 32768
  std::uint32_t height = 1080;  ///< pixels, at most 32768; at most 2^28 pixels in all
  /// Missing parts come from the scene's camera, or else are chosen to frame the scene.
  CameraSettings camera = {};
  /// A name of shadings(); "": the one that the scene asks for, else lit.
  std::string shading = "";
  std::uint32_t samples = 0;  ///< per pixel, at most 65536; 0: the shading's default
  std::uint32_t bounces = 2;  ///< how often a path may bounce in `lit`, at most 16
  /// Factor on all light in `lit`, from 0 to 1e6. If absent: the scene's, else one chosen from the
  /// picture.
  std::optional<float> exposure = {};
  bool smooth = true;      ///< smooth noisy light in `lit`, in pictures of up to 2^25 pixels
  bool keep_hits = false;  ///< return the hits of the camera rays too
  CastOptions cast = {};   ///< how the rays are cast
};

}  // namespace ballotcast
