// The URIs in glTF files: data URIs, which contain their data, and names of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// True for a URI that begins with "data:".
bool is_data_uri(std::string_view uri);

/// The data of a data URI (RFC 2397) with base64 or percent-encoding; nothing if it is malformed.
std::optional<std::vector<u8>> data_of_uri(std::string_view uri);

/// The name of the file that a URI means: %20 and the like become single characters.
std::string file_of_uri(std::string_view uri);

}  // namespace ballotcast::detail
