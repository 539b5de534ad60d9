// The file of --profile: where the time went, for a trace viewer.
#pragma once

#include <string>

namespace ballotcast::detail {

/// Throws UsageError or OutputError if the profile can't be written to `path`. A file there must be
/// an older profile: scenes end in .json, too, and none shall be lost.
void require_profile_file(const std::string& path);

/// Writes what was kept since start_profile. Throws OutputError. Of several processes only the
/// first writes.
void write_profile(const std::string& path);

}  // namespace ballotcast::detail
