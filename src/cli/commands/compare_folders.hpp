// `ballotcast compare` of two folders: every picture with the one of the same name.
#pragma once

#include "cli/commands/compare_report.hpp"

namespace ballotcast::detail {

/// Compares the folders that the request names, prints and writes the reports, and returns the exit
/// code. A picture that can't be read, or that only one folder has, is a result.
int compare_folders(const CompareRequest& request);

}  // namespace ballotcast::detail
