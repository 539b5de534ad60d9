#include <cstring>

#include "ballotcast/device.hpp"
#include "ballotcast/error.hpp"
#include "bvh/layouts/grid2/layout.hpp"
#include "render/renderer_state.hpp"

namespace ballotcast::detail {

namespace {

using LibrarysLayout = grid2::Layout;
using ProgramsLayout = device::detail::grid2::Walking;

/// Copies an object of the library to the corresponding type of the device header, which was made
/// from it. The types differ only in the namespace and in the class of vectors.
template <class To, class From>
void copy_alike(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From) && alignof(To) == alignof(From));
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof from);
}

/// Throws UsageError unless the program was compiled with the header of this library.
template <class View>
void require_same_header(u64 bytes, u32 version) {
  if (bytes != sizeof(View) || version != View::kVersion)
    throw UsageError(
        "the program was compiled with another version of ballotcast/device.hpp "
        "than the library; compile it again");
}

}  // namespace

void fill_device_view(const SceneForPrograms& scene, void* to, u64 bytes, u32 kind, u32 version) {
  const SceneArrays& arrays = scene.arrays;
  if (arrays.layout->name != LibrarysLayout::info.name)
    throw UsageError("views for kernels are of layout grid2; this scene has layout " +
                     std::string(arrays.layout->name));
  const OfItems items{{}, {{}, scene.masks}};
  const auto fill = [&](auto& view, const auto& of_scene) {
    copy_alike(view.core.scene, of_scene);
    copy_alike(view.core.moving, scene.moving);
  };
  if (kind == device::ShapesView::kKind) {
    require_same_header<device::ShapesView>(bytes, version);
    return fill(*static_cast<device::ShapesView*>(to),
                instanced_view<LibrarysLayout, true>(arrays, items));
  }
  if (kind == device::SceneView::kKind) {
    require_same_header<device::SceneView>(bytes, version);
    if (arrays.scene.shapes)
      throw UsageError("a SceneView is of triangles, and this scene has shapes: use a ShapesView");
    return fill(*static_cast<device::SceneView*>(to),
                instanced_view<LibrarysLayout, false>(arrays, items));
  }
  require_same_header<device::PlainView>(bytes, version);
  if (arrays.scene.instances.count != 0u)
    throw UsageError("a PlainView is of a scene without instances; this one has " +
                     std::to_string(arrays.scene.instances.count) + ": use a SceneView");
  auto& view = *static_cast<device::PlainView*>(to);
  copy_alike(static_cast<device::detail::TraceView<ProgramsLayout>&>(view.core),
             trace_view<TraceView<LibrarysLayout>>(arrays, items.filter));
  copy_alike(view.core.moving, scene.moving);
}

}  // namespace ballotcast::detail
