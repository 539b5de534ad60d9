// The address of a request: a path, and parameters behind a ?.
#pragma once

#include <string>
#include <string_view>

#include "view/query.hpp"

namespace ballotcast::detail {

struct Address {
  std::string path;
  UrlQuery::Values values;
};

/// The parts of "/picture?eye=1,2,3&shading=lit", with + and %20 decoded. Throws UsageError if a
/// parameter is given twice, or for a % without two hexadecimal digits behind it.
Address parsed_address(std::string_view target);

}  // namespace ballotcast::detail
