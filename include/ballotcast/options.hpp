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
  /// How traversing the tree and testing triangles alternate: a name of pipelines(), or auto.
  std::string pipeline = "auto";
  /// How the threads of the GPU report that their rays have found a leaf whose triangles must be
  /// tested: a name of strategies(), or auto.
  std::string atomics = "auto";
  std::uint32_t block_size = 256;  ///< threads per block: a multiple of 32 from 32 to 1024
  /// Who reads the counter of these reports and decides whether another pass follows: host, host:K
  /// (the host, but only after every K passes), graph (the GPU itself), or auto.
  std::string loop = "auto";
  /// The order of the queues of pipeline queue; other pipelines have none. any: that in which the
  /// blocks happen to run. lanes: that of the rays, the same at each run; no atomics are used. Or
  /// auto, which is any.
  std::string order = "auto";
};

/// The device that casts rays, and how the tree is built and stored. No field changes a hit or a
/// pixel; only the shading visits depends on builder and layout.
struct RendererOptions {
  /// A name of devices(), or auto: a GPU if there is one. Several machines together are written
  /// like "cuda:0,2" (GPUs by number), "cuda:all" or "cuda:all+cpu". They share each cast and each
  /// frame by demand.
  std::string device = "auto";
  /// A name of builders(), or an effort of efforts(). Builders that have rounds take another number
  /// of them, 1 to 1000, behind a slash: ploc-reinserted/12. With the default, a scene from a
  /// packed file has the tree of that file.
  std::string builder = "balanced";
  std::string layout = "auto";  ///< a name of layouts(), or auto; see builder
  Progress progress = {};       ///< reports the progress of building the tree, in triangles
  /// The most bytes of device memory that the scene and the work on it may take together. If
  /// absent: all free memory of a GPU, and no limit elsewhere. With less memory, fewer rays are
  /// processed at a time. Memory of the driver and the operating system, and results in host
  /// memory, do not count.
  std::optional<std::uint64_t> max_memory = {};
  /// True if vertices will move: see Renderer::set_vertices. Then the builder must not cut
  /// triangles; efforts choose a suitable builder.
  bool moves = false;
  /// If one of several machines fails, the others do its work: see Renderer::losses. True: the
  /// failure is thrown instead.
  bool strict_devices = false;
  /// The number of parts that the scene is cut into. Each machine holds some of them, and needs
  /// memory for these only; rays go from part to part. 1: all machines hold all of it. 0: if it
  /// takes more than three quarters of the memory of a machine, as many parts as there are
  /// machines. Machines then only cast rays; the CPU does everything else and holds the whole
  /// scene. Not for scenes that have several worlds or that move.
  std::uint32_t partition = 1;
};

/// How a tree is updated after vertices have moved.
enum class Follow : std::uint8_t {
  automatic,  ///< refits, and rebuilds if the tree has worn out: see Renderer::wear
  refit,      ///< the same leaves, new boxes: fast, but after large motions rays take longer
  rebuild     ///< a new tree
};

/// How the noise of light is smoothed in `lit`.
enum class Smoothing : std::uint8_t {
  off,   ///< not at all
  fast,  ///< over small windows, for previews
  on     ///< over large windows, twice
};

/// How a picture is drawn.
struct RenderSettings {
  std::uint32_t width = 1920;   ///< pixels, at most 32768
  std::uint32_t height = 1080;  ///< pixels, at most 32768; at most 2^28 pixels in all
  /// Missing parts come from the scene's camera, or else are chosen to frame the scene.
  CameraSettings camera = {};
  /// A name of shadings(). "": the one that the scene asks for, or lit if it asks for none.
  std::string shading = "";
  std::uint32_t samples = 0;  ///< per pixel, at most 65536; 0: the shading's default
  std::uint32_t bounces = 8;  ///< how often a path may bounce in `lit`, at most 16
  /// Factor on all light in `lit`, from 0 to 1e6. If absent: the scene's exposure, or if it has
  /// none, one that suits the picture.
  std::optional<float> exposure = {};
  /// The colour of light that looks white in `lit`: auto (from the scene's lights), none (white
  /// light), or a colour temperature in kelvin, from 1000 to 40000. "": what the scene asks for, or
  /// auto if it asks for nothing.
  std::string white_balance = "";
  /// The light in `lit`: scene (lamps, sun and sky; in a room with lamps, sun and sky only if they
  /// are given), camera (the same, and a soft light at the camera), lamps (sun and sky only if
  /// they are given), or daylight (sun and sky in rooms with lamps, too). "": what the scene asks
  /// for, or scene if it asks for nothing.
  std::string light = "";
  /// What pixels show where camera rays hit nothing: sky (as the shading draws it), transparent
  /// (the picture gets alpha: Image::alpha), or a colour in sRGB, "#rrggbb". Glass counts as a
  /// surface. In linear pictures, a colour has its linear value, whatever the exposure.
  std::string background = "sky";
  /// Which sides of surfaces all rays of the picture hit: those of the camera, of light and of
  /// bounces. Other sides are not there for these rays, and cast no shadow.
  Sides sides = Sides::both;
  /// How to smooth the noise of the light in `lit`. Larger pictures than 2^25 pixels are never
  /// smoothed.
  Smoothing smooth = Smoothing::on;
  /// Only if light is smoothed: false lowers light that is far above all light around it
  /// (fireflies), and spreads most of the difference evenly (see Frame::light_lost); true keeps
  /// fireflies as they are.
  bool keep_fireflies = false;
  bool keep_hits = false;    ///< return the hits of the camera rays too
  bool keep_linear = false;  ///< return the picture's linear numbers too
  CastOptions cast = {};     ///< how the rays are cast
};

}  // namespace ballotcast
