// Backend cpu: plain parallel loops over the walk and triangle code that kernels use. It is the
// fallback if there is no GPU, and the reference that every other backend must equal.
#pragma once

#include "backends/backend.hpp"

namespace ballotcast::detail {

std::string cpu_unusable();
std::string cpu_describe();
std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene);

/// A pipeline whose walks rest in memory takes them all, because its counts depend on the number.
/// Others take so few that their memory stays in the caches.
u32 cpu_paths_at_once(const CastChoice& choice, u32 most);

}  // namespace ballotcast::detail
