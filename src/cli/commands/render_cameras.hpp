// The cameras of a file: `render --cameras`.
#pragma once

#include "cli/commands/picture_series.hpp"
#include "cli/commands/render_request.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// Throws UsageError if `camera`, the value of --camera, is stated without `cameras`, and if
/// `gives` is true for an option that states a camera beside --cameras.
void require_cameras_alone(const std::string& cameras, const std::string& camera,
                           FunctionRef<bool(const char*)> gives);

/// The index of the camera that --camera names, by its picture or by the name for files; `path` is
/// that of the cameras. Throws UsageError.
std::size_t index_of_camera(const std::vector<FileCamera>& cameras, const std::string& name,
                            const std::string& path);

/// A camera of a file with the lens that options state.
CameraSettings with_lens_of(const FileCamera& camera, const CameraSettings& stated);

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
