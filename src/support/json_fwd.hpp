// The name of the program's JSON type, for headers that only mention it. The library behind it
// takes more than a second to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace ballotcast::detail {

/// A JSON value whose keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

}  // namespace ballotcast::detail
