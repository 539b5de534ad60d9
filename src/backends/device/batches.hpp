// Queries are cut into batches: what a machine answers at a time.
#pragma once

#include <vector>

#include "kernels/queries/query.hpp"
#include "math/aabb.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// How many items a batch of in_batches has at most: `at_once`, or fewer if they are packed first.
u32 most_in_batch(const Query& query, u32 at_once);

/// Calls run_batch(batch) for one batch after another, of at most `at_once` items each, and returns
/// the sum of their counts. Batches are the same on every machine, and so are the counts. Those of
/// ranges have at most kCrossingsKept * at_once results, or one item.
///
/// A batch has its items one behind the other. Those that lie in arrays of another program are
/// packed, a part at a time that stays in a cache until it is cast.
///
/// Points of a batch are in the order of a space-filling curve through `box`, those outside as if
/// they were at its side. Points that follow one another then visit the same parts of a tree, which
/// are in a cache already.
CastCounts in_batches(const Query& query, u32 at_once, const Aabb& box,
                      FunctionRef<CastCounts(const Query& batch)> run_batch);

/// If a query has sums: makes `part` of it add to an array of its own, which is returned and begins
/// at 0. So nothing stays of what a machine adds before it fails. Else returns an empty array.
std::vector<u64> own_sums(Query& part);
/// Adds the sums of a part to those of the whole query.
void add_sums(const std::vector<u64>& sums, const Query& query);

}  // namespace ballotcast::detail
