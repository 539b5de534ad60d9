// The common row type of the tables of primitives (votes, shuffles, reductions).
#pragma once

#include <string_view>

namespace ballotcast::detail {

struct PrimitiveInfo {
  std::string_view name;
  std::string_view summary;
};

}  // namespace ballotcast::detail
