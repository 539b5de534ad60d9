// A scene in host memory, cast by a machine of the host.
#pragma once

#include "backends/dispatch.hpp"
#include "kernels/frame.hpp"

namespace ballotcast {

/// ResidentScene over a Caster, which has a `machine` (HostMachine or derived) and
/// `cast<Layout, Pipeline, Strategy>(view, kind, rays, hits, visits, count, block_size)`.
template <class Caster>
class HostScene final : public ResidentScene {
 public:
  template <class... Args>
  explicit HostScene(const PreparedScene& scene, Args&&... args)
      : scene_(scene), caster_(std::forward<Args>(args)...) {}

  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                  const CastOptions& options) override {
    require_valid(options);
    return cast_in_parts(count, [&](u64 first, u32 part) {
      return cast_part(kind, rays + first, hits + first, visits ? visits + first : nullptr, part,
                       options);
    });
  }

  Frame draw(const FrameSettings& settings, const CastOptions& options,
             const ProgressReport& report) override {
    require_valid(options);
    Frame frame;
    dispatch_shading(settings.shading, [&](auto tag) {
      using Shading = typename decltype(tag)::type;
      draw_frame<Shading>(
          caster_.machine, scene_.view, settings,
          [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
            return cast_part(kind, rays, hits, visits, count, options);
          },
          report, frame);
    });
    return frame;
  }

 private:
  CastCounts cast_part(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count,
                       const CastOptions& options) {
    CastCounts counts;
    dispatch_layout(scene_.encoded.layout, [&](auto layout_tag) {
      using Layout = typename decltype(layout_tag)::type;
      const TraceView<Layout> view{
          reinterpret_cast<const typename Layout::Node*>(scene_.encoded.nodes.data()),
          scene_.encoded.triangles.data(), scene_.view};
      dispatch_cast(options, [&](auto pipeline, auto strategy) {
        counts = caster_.template cast<Layout, typename decltype(pipeline)::type,
                                       typename decltype(strategy)::type>(
            view, kind, rays, hits, visits, count, options.block_size);
      });
    });
    return counts;
  }

  const PreparedScene& scene_;
  Caster caster_;
};

}  // namespace ballotcast
