// Cuts queries into batches. A machine answers one batch at a time.
#pragma once

#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/queries/query.hpp"
#include "math/aabb.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The largest number of items in a batch of in_batches: `at_once`, or less if items are packed
/// first.
u32 most_in_batch(const Query& query, u32 at_once);

/// Calls run_batch(batch) for one batch after the other, with at most `at_once` items each. Returns
/// the sum of their counts. Batches are the same on every machine, and so are the counts. If each
/// item has a range of results (Query::starts), a batch has at most kCrossingsKept * at_once
/// results, or a single item.
///
/// The items of a batch are contiguous in memory. If the items of a query are not contiguous,
/// because they are in arrays of another program, they are packed first, in such small batches that
/// they stay in a cache until they are cast.
///
/// The points of a batch are sorted along a space-filling curve through `box`; points outside are
/// treated as if they were on its surface. Neighbours on the curve visit the same parts of a tree,
/// which are then already in a cache.
CastCounts in_batches(const Query& query, u32 at_once, const Aabb& box,
                      FunctionRef<CastCounts(const Query& batch)> run_batch);

/// If a query has sums, makes `part` add to a separate array of zeros, and returns this array. So
/// if a machine fails, its sums can be discarded. Otherwise returns an empty array.
std::vector<u64> own_sums(Query& part);
/// Adds the sums of a part to those of the whole query.
void add_sums(const std::vector<u64>& sums, const Query& query);

}  // namespace ballotcast::detail
