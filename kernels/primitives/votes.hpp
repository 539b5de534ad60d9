// Votes under divergence: what each lane of a warp gets from any, all and ballot when the warp's
// lanes have taken different branches.
//
//   Branches, kBranchPatterns   how the lanes are divided among branches
//   VoteKinds                   ballot, any, all
//   VoteForms                   which lanes take part: the whole warp, or the lanes of one branch
//   VoteKernel                  many rounds of votes
#pragma once

#include <array>
#include <string_view>

#include "kernels/lane.hpp"
#include "kernels/primitives/primitive.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Which of four branches each lane of a warp takes. The branch of lane i is a number from 0 to 3,
/// whose two bits are bit i of `low` and bit i of `high`.
struct Branches {
  u32 low, high;

  BC_HD u32 of(u32 lane) const { return (low >> lane & 1u) | (high >> lane & 1u) << 1; }
};

/// A way to divide the lanes of a warp among branches.
struct BranchPattern {
  std::string_view name;
  Branches branches;
  std::string_view summary;
};

inline constexpr std::array<BranchPattern, 6> kBranchPatterns = {{
    {"together", {0x00000000u, 0x00000000u}, "all lanes in one branch"},
    {"halves", {0xffff0000u, 0x00000000u}, "lanes 0..15 and 16..31"},
    {"odd-even", {0xaaaaaaaau, 0x00000000u}, "even and odd lanes"},
    {"one-alone", {0x00002000u, 0x00000000u}, "lane 13 and the others"},
    {"fourths", {0xaaaaaaaau, 0xccccccccu}, "lane % 4"},
    {"scattered", {0x2fb41e6du, 0x9c53a7e1u}, "four branches with no order"},
}};

/// The expected number of yes votes among 32 lanes with random values. It differs between warps,
/// because otherwise `any` and `all` would nearly always give the same result.
BC_HD inline u32 ayes_in_32(u32 warp) {
  const u32 kind = warp % 5u;
  return kind == 0u ? 16u : kind == 1u ? 1u : kind == 2u ? 31u : kind == 3u ? 0u : 32u;
}

/// The vote of a lane: yes with a probability of `ayes` / 32. Each branch multiplies by a different
/// number, because the compiler might merge branches with equal code.
BC_HD inline bool says_aye(u32 value, u32 branch, u32 ayes) {
  return (value * (2u * branch + 0x85ebca6bu)) >> 27 < ayes;
}

struct BallotVote {
  static constexpr PrimitiveInfo info{"ballot", "the mask of the members that vote yes"};
  template <class Lane>
  BC_DEVICE static u32 take(Lane& lane, u32 members, bool p) {
    return lane.ballot_among(members, p);
  }
};

struct AnyVote {
  static constexpr PrimitiveInfo info{"any", "true if at least one member votes yes"};
  template <class Lane>
  BC_DEVICE static u32 take(Lane& lane, u32 members, bool p) {
    return lane.any_among(members, p) ? 1u : 0u;
  }
};

struct AllVote {
  static constexpr PrimitiveInfo info{"all", "true if every member votes yes"};
  template <class Lane>
  BC_DEVICE static u32 take(Lane& lane, u32 members, bool p) {
    return lane.all_among(members, p) ? 1u : 0u;
  }
};

using VoteKinds = TypeList<BallotVote, AnyVote, AllVote>;

/// Calls Vote::take at one of four places in the code, one per branch, so that the compiler makes
/// four instructions. `members`: the lanes of the branch; `value` and `ayes` decide how the lane
/// votes, see says_aye.
template <class Vote, class Lane>
BC_DEVICE inline u32 vote_in_branch(Lane& lane, u32 branch, u32 members, u32 value, u32 ayes) {
  switch (branch) {
    case 0:
      return Vote::take(lane, members, says_aye(value, 0u, ayes));
    case 1:
      return Vote::take(lane, members, says_aye(value, 1u, ayes));
    case 2:
      return Vote::take(lane, members, says_aye(value, 2u, ayes));
    default:
      return Vote::take(lane, members, says_aye(value, 3u, ayes));
  }
}

/// Base of the forms in which the whole warp votes.
struct WholeWarp {
  static constexpr bool kOwnBranchOnly = false;

  template <class Lane>
  BC_DEVICE static u32 members(Lane&, u32) {
    return 0xffffffffu;
  }
};

/// Votes inside the branches, with a mask of the whole warp. Such a `_sync` vote waits for the
/// lanes of the other branches, which vote at other places in the code. Each lane gets the votes of
/// all 32 lanes (PTX ISA, vote.sync, sm_70 and later).
struct SyncVotes : WholeWarp {
  static constexpr PrimitiveInfo info{"sync", "all 32 lanes, from inside their branches"};
  template <class Vote, class Lane>
  BC_DEVICE static u32 vote(Lane& lane, u32 branch, u32 members, u32 value, u32 ayes) {
    return vote_in_branch<Vote>(lane, branch, members, value, ayes);
  }
};

/// Votes after the branches have rejoined, as programs for current GPUs do. The result is the same
/// as with SyncVotes.
struct RejoinedVotes : WholeWarp {
  static constexpr PrimitiveInfo info{"rejoined", "all 32 lanes, after their branches have met"};
  template <class Vote, class Lane>
  BC_DEVICE static u32 vote(Lane& lane, u32 branch, u32 members, u32 value, u32 ayes) {
    bool p;
    switch (branch) {
      case 0:
        p = says_aye(value, 0u, ayes);
        break;
      case 1:
        p = says_aye(value, 1u, ayes);
        break;
      case 2:
        p = says_aye(value, 2u, ayes);
        break;
      default:
        p = says_aye(value, 3u, ayes);
        break;
    }
    lane.sync_warp();
    return Vote::take(lane, members, p);
  }
};

/// Votes among the lanes of one branch, as on Fermi, where __any, __all and __ballot had no mask.
/// Only the active lanes took part, and inactive lanes counted as 0 in a ballot. Since Volta, lanes
/// are scheduled independently and which lanes are active in a branch is undefined. So the members
/// are computed before the lanes branch.
struct ActiveVotes {
  static constexpr PrimitiveInfo info{
      "active", "only the lanes of the own branch, as votes worked before Volta"};
  static constexpr bool kOwnBranchOnly = true;

  template <class Lane>
  BC_DEVICE static u32 members(Lane& lane, u32 branch) {
    const u32 low = lane.ballot((branch & 1u) != 0u), high = lane.ballot((branch & 2u) != 0u);
    return (branch & 1u ? low : ~low) & (branch & 2u ? high : ~high);
  }
  template <class Vote, class Lane>
  BC_DEVICE static u32 vote(Lane& lane, u32 branch, u32 members, u32 value, u32 ayes) {
    return vote_in_branch<Vote>(lane, branch, members, value, ayes);
  }
};

using VoteForms = TypeList<SyncVotes, RejoinedVotes, ActiveVotes>;

/// In each of `rounds` rounds, every lane votes by its value, and mixes the result into its value.
/// Writes the last result of lane `id` to out[id] and its final value to out[lanes + id], where
/// `lanes` is the number of lanes in the grid.
template <class Form, class Vote>
struct VoteKernel {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, Branches branches, u32 rounds, u32* out) {
    const u32 id = lane.id(), branch = branches.of(lane.lane());
    const u32 ayes = ayes_in_32(id / kWarpSize);
    const u32 members = Form::members(lane, branch);
    u32 value = start_value(id), seen = 0;
    for (u32 round = 0; round < rounds; ++round) {
      seen = Form::template vote<Vote>(lane, branch, members, value, ayes);
      value = next_value(value, seen);
    }
    out[id] = seen;
    out[lane.grid_size() + id] = value;
  }
};

}  // namespace ballotcast::detail
