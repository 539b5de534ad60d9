// The name of the JSON type of this program, for headers that only mention it. The header of the
// JSON library takes more than a second to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace ballotcast::detail {

/// A JSON value whose keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

}  // namespace ballotcast::detail
