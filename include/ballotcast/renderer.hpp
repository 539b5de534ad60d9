// The library's front: a scene on a device, to cast rays through and to draw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ballotcast/api.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/ray.hpp"
#include "ballotcast/scene.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

namespace detail {
class RendererState;
}

/// How long the preparation took.
struct PrepareTimes {
  double build_ms = 0.0;   ///< tree and tables, on the host
  double upload_ms = 0.0;  ///< copying them to the device
};

/// A scene on a device.
///
/// Calls on one renderer must not overlap. Different renderers may work at the same time, also over
/// the same scene. Every result has the same bits on every device and for every option.
class BALLOTCAST_API Renderer {
 public:
  /// Builds the tree and copies the scene to the device. Throws UsageError for names that don't
  /// exist, InputError for a mesh that can't be used, DeviceError when the device can't be used. A
  /// scene that exceeds the device's memory by itself is not copied: the first call that needs it
  /// throws OutOfDeviceMemory, with a table of what takes how much.
  explicit Renderer(Scene scene, const RendererOptions& options = {});
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// Finds the closest hit of each ray: hits[i] is the hit of rays[i]. Throws UsageError unless
  /// there are as many hits as rays, and for options that don't exist; OutOfDeviceMemory when not
  /// even a small batch of rays fits; DeviceError when the device fails.
  CastCounts closest(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options = {});

  /// Finds out whether each ray hits anything: hits[i].found(). Which of its hits it is depends on
  /// the tree, but not on the device or on `options`. Throws as closest().
  CastCounts any(Span<const Ray> rays, Span<Hit> hits, const CastOptions& options = {});

  /// Counts how often each ray crosses a surface with t in (t_min, t_max]: counts[i] belongs to
  /// rays[i]. A ray through an edge or a corner of a closed mesh counts once in and once out, so an
  /// odd count says that the ray starts inside. Triangles that lie in the same place count each.
  /// Throws as closest().
  void count(Span<const Ray> rays, Span<std::uint32_t> counts);

  /// Finds every crossing that count() counts. A crossing has the bits that a closest hit on that
  /// triangle has. Throws as closest().
  AllHits all(Span<const Ray> rays);

  /// Draws a picture; `progress` is told how many rays are done. Throws UsageError for settings
  /// that make no sense, otherwise as closest().
  Frame render(const RenderSettings& settings = {}, const Progress& progress = {});

  /// `settings` with everything filled in that the scene or the library decides: all parts of the
  /// camera, shading, samples, smooth, and the names behind every auto. `exposure` is left out
  /// where the picture decides; Frame::exposure has it. Throws as render().
  RenderSettings resolved(const RenderSettings& settings) const;

  /// The scene that it was made with.
  const Scene& scene() const;
  /// The name of the device: cuda, cpu or emulated.
  std::string device() const;
  /// The device in words: "NVIDIA H200, compute capability 9.0, ...".
  std::string device_description() const;
  /// For device auto without a GPU: why there is none. Otherwise "".
  const std::string& note() const;
  /// How long getting ready took.
  const PrepareTimes& prepare_times() const;
  /// Bytes of device memory that the scene and the last call took.
  std::uint64_t memory_bytes() const;

  /// For the library itself.
  const detail::RendererState& state() const { return *state_; }

 private:
  std::unique_ptr<detail::RendererState> state_;
};

}  // namespace ballotcast
