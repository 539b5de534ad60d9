// Files with several cameras. In both formats pixel coordinates begin at the top left corner of the
// picture, so the centre of the first pixel is at (0.5, 0.5).
#pragma once

#include <string>
#include <vector>

#include "ballotcast/camera.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// The largest width or height, in pixels, that a file may state for the picture of a camera.
inline constexpr u32 kLargestFileSide = 1u << 20;

/// Reads the cameras of a transforms.json. `width` and `height` are used for pictures whose size is
/// not in the file; 0 if they are not known. Throws InputError, which names the file and the key,
/// if the file can't be read, or a key is missing or invalid.
std::vector<FileCamera> read_transforms(const std::string& path, u32 width, u32 height);

/// Reads the cameras of COLMAP's text files: `cameras` and `images` are their paths. Throws
/// InputError, which names the file and the line, if a file can't be read or a line is invalid.
std::vector<FileCamera> read_colmap(const std::string& cameras, const std::string& images);

/// Sets the pose of `camera`. Throws UsageError if the pose is invalid.
void set_pose(FileCamera& camera, Span<const double> pose, const std::string& convention,
              const std::string& direction);

/// Sets FileCamera::name of all cameras, from the names of their images.
void name_cameras(std::vector<FileCamera>& cameras);

}  // namespace ballotcast::detail
