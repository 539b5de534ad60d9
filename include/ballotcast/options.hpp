// Options: on which device and how to cast rays, and what picture to draw.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ballotcast/ray.hpp"
#include "ballotcast/scene.hpp"

namespace ballotcast {

/// Reports the progress of long work: `done` of `total`, in an arbitrary unit. It is never called
/// by two threads at once, but not always by the thread that started the work. It must not throw.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// How to cast rays. No field changes a hit or a pixel. tables.hpp lists the names.
struct CastOptions {
  /// How traversal of the tree and tests of triangles alternate: a name of pipelines(), or auto.
  std::string pipeline = "auto";
  /// How the threads of the GPU report that their rays have found a leaf whose triangles must be
  /// tested: a name of strategies(), or auto.
  std::string atomics = "auto";
  std::uint32_t block_size = 256;  ///< threads per block: a multiple of 32 from 32 to 1024
  /// What reads the counter of these reports and decides whether another pass follows: host, host:K
  /// (the host, after every K passes), graph (the GPU itself), or auto.
  std::string loop = "auto";
  /// The order of the queues of pipeline queue; other pipelines have none. any: the order in which
  /// the blocks happen to run. lanes: the order of the rays, the same at each run; no atomics are
  /// used. auto: any.
  std::string order = "auto";
};

/// The device that casts rays, and how the tree is built and stored. No field changes a hit or a
/// pixel; only the shading visits depends on builder and layout.
struct RendererOptions {
  /// A name of devices(), or auto: a GPU if there is one. Several machines together are written
  /// like "cuda:0,2" (GPUs by number), "cuda:all" or "cuda:all+cpu". These machines share each cast
  /// and each frame dynamically.
  std::string device = "auto";
  /// A name of builders(), or an effort of efforts(). For builders with rounds of reinsertion, the
  /// number of rounds may follow after a slash, 1 to 1000: ploc-reinserted/12. With the default
  /// value, a scene from a packed file (ballotcast pack) uses the tree of that file.
  std::string builder = "balanced";
  std::string layout = "auto";  ///< a name of layouts(), or auto; for packed files see builder
  Progress progress = {};       ///< reports the progress of building the tree, in triangles
  /// The most bytes of device memory that the scene and the work on it may take together. If
  /// absent: all free memory of a GPU, and no limit elsewhere. With less memory, fewer rays are
  /// processed at a time. Memory of the driver and the operating system, and results in host
  /// memory, do not count.
  std::optional<std::uint64_t> max_memory = {};
  /// True if vertices or transforms will change: see Renderer::set_vertices. Then the builder must
  /// not be one that cuts triangles; efforts choose a suitable builder.
  bool moves = false;
  /// What happens if one of several machines fails. False: the others do its work, see
  /// Renderer::losses. True: the failure is thrown.
  bool strict_devices = false;
  /// The number of parts into which the scene is cut. Each machine holds some of the parts and
  /// needs memory only for these; rays go from part to part. 1: each machine holds the whole scene.
  /// 0: if the scene takes more than three quarters of the memory of a machine, as many parts as
  /// there are machines; else 1. Machines then only cast rays; the CPU does everything else and
  /// holds the whole scene. Not for scenes that have several worlds or that move.
  std::uint32_t partition = 1;
};

/// How a tree is updated after vertices or transforms have changed.
enum class Follow : std::uint8_t {
  automatic,  ///< refits, or rebuilds if the tree has become slow: see Renderer::wear
  refit,      ///< the same leaves, new boxes: fast, but after large motions rays take longer
  rebuild     ///< a new tree
};

/// How the noise of light is smoothed in `lit`.
enum class Smoothing : std::uint8_t {
  off,   ///< no smoothing
  fast,  ///< over windows with a radius of at most 4 pixels, for previews
  on     ///< over windows with a radius of at most 12 pixels, twice
};

/// How a picture is drawn.
struct RenderSettings {
  std::uint32_t width = 1920;   ///< width in pixels, at most 32768
  std::uint32_t height = 1080;  ///< height in pixels, at most 32768; at most 2^28 pixels in all
  /// The camera. Absent members come from the scene's camera, or else are chosen to frame the
  /// scene.
  CameraSettings camera = {};
  /// A name of shadings(). "": the shading that the scene file names, or lit if it names none.
  std::string shading = "";
  std::uint32_t samples = 0;  ///< samples per pixel, at most 65536; 0: the shading's default
  std::uint32_t bounces = 8;  ///< the most bounces of a path in `lit`, at most 16
  /// Factor on all light in `lit`, from 0 to 1e6. If absent: the exposure of the scene, or if it
  /// has none, an exposure that suits the picture.
  std::optional<float> exposure = {};
  /// The colour of light that looks white in `lit`: auto (from the scene's lights), none (white
  /// light), or a colour temperature in kelvin, from 1000 to 40000. "": the value in the scene
  /// file, or auto if it has none.
  std::string white_balance = "";
  /// The light in `lit`: scene (lamps, sun and sky; in a room with lamps, sun and sky only if they
  /// are set, see SunSettings), camera (the same, and a soft light at the camera), lamps (sun and
  /// sky only if they are set), or daylight (sun and sky in rooms with lamps, too). "": the value
  /// in the scene file, or "scene" if it has none.
  std::string light = "";
  /// What pixels show where camera rays hit nothing: sky (as the shading draws it), transparent
  /// (the picture gets alpha: Image::alpha), or a colour in sRGB, "#rrggbb". Glass counts as a
  /// surface. In linear pictures, a colour has its linear value, whatever the exposure.
  std::string background = "sky";
  /// Which sides of surfaces the rays of the picture hit: camera rays, shadow rays and bounced
  /// rays. Other sides are invisible and cast no shadow.
  Sides sides = Sides::both;
  /// How to smooth the noise of the light in `lit`. Larger pictures than 2^25 pixels are never
  /// smoothed.
  Smoothing smooth = Smoothing::on;
  /// Only used if light is smoothed. False: pixels that are far brighter than their surroundings
  /// (fireflies) are darkened, and most of the removed light is spread evenly (see
  /// Frame::light_lost). True: fireflies stay as they are.
  bool keep_fireflies = false;
  bool keep_hits = false;    ///< true: Frame::hits receives the hits of the camera rays
  bool keep_linear = false;  ///< true: Frame::linear receives the picture's linear values
  CastOptions cast = {};     ///< how the rays are cast
};

}  // namespace ballotcast
