// The header of OpenEXR files, checked before the library reads it: the library allocates what a
// header claims.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Throws InputError, with a text that begins with `name`, unless the headers of all parts are
/// complete, with attributes inside the file, pictures that require_plausible allows, and channels
/// and tiles that fit into moderate memory. (OpenEXR documentation, "OpenEXR File Layout".)
void require_sound_exr_header(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
