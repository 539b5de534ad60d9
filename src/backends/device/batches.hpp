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

/// Calls run_batch(batch) for one batch after another, of at most `at_once` items each. Returns the
/// sum of their counts. Batches are the same on every machine, and so are the counts. If each item
/// has a range of results (Query::starts), a batch has at most kCrossingsKept * at_once results, or
/// one item.
///
/// The items of a batch lie one behind the other in memory. Items that lie otherwise, in arrays of
/// another program, are packed first, so few at a time that they stay in a cache until they are
/// cast.
///
/// The points of a batch are sorted along a space-filling curve through `box`; points outside count
/// as if they lay on its surface. Neighbours on the curve visit the same parts of a tree, which are
/// then in a cache already.
CastCounts in_batches(const Query& query, u32 at_once, const Aabb& box,
                      FunctionRef<CastCounts(const Query& batch)> run_batch);

/// If a query has sums: makes `part` add to an array of its own, which begins at 0, and returns
/// that array. So nothing remains of what a machine adds before it fails. Otherwise returns an
/// empty array.
std::vector<u64> own_sums(Query& part);
/// Adds the sums of a part to those of the whole query.
void add_sums(const std::vector<u64>& sums, const Query& query);

}  // namespace ballotcast::detail
