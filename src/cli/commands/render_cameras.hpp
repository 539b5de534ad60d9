// The cameras of a file: `render --cameras`.
#pragma once

#include "cli/commands/picture_series.hpp"
#include "cli/commands/render_request.hpp"

namespace ballotcast::detail {

/// The request with the cameras of its file: all in `several`, or that which --camera chooses as
/// the camera of the one picture. Without --cameras the same. Throws UsageError if other options
/// state a camera, too, and the errors of read_cameras.
RenderRequest with_cameras(const RenderRequest& request);

/// The request for what one of the cameras sees, in the size of its file unless --size states one.
RenderRequest through_camera(const RenderRequest& request, const FileCamera& camera);

/// The name of the picture of each camera. Throws UsageError if two would be the same, or
/// OutputError if the first or last can't be written.
NumberedName name_for_cameras(const RenderRequest& request);

}  // namespace ballotcast::detail
