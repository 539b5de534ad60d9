// Lays out the JSON files of suites, so that people can read them and git can merge them.
#pragma once

#include <string>

#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// `json` on one line, with a blank after each comma and colon. Bytes that are not UTF-8 are
/// replaced.
std::string on_one_line(const Json& json);

/// `json` on several lines. Short values are on one line.
std::string laid_out(const Json& json, std::size_t indent = 0);

}  // namespace ballotcast::detail
