// Traverses a wide tree with several rays in turns, one node or leaf at a time. While memory is
// fetched for one ray, the other rays continue (O. Kocberber, B. Falsafi, B. Grot, Asynchronous
// Memory Access Chaining, PVLDB 2015).
#pragma once

#include <array>

#include "bvh/wide/wide_walk.hpp"

namespace ballotcast::detail {

/// The state of a ray during its traversal. `rays` is its prepared form.
struct WalkingRay {
  struct Open {
    float entry;
    u32 reference;
  };

  WideRay rays;
  Hit best;
  u32 number;
  u32 next;  // the node or leaf to visit next
  Open* top;
  Open open[kMostOpen];
};

/// Visits `at.next`, and sets it to the node or leaf to visit after it. Returns false if the
/// traversal is finished.
template <RayKind kKind, class Accepts>
BC_FLATTEN inline bool visit_next(const WideTree& tree, WalkingRay& at, const Accepts& accepts) {
  using Open = WalkingRay::Open;
  if (is_node(at.next)) {
    const WideNode& node = tree.nodes.data()[at.next];
    u32 entered;
    const Floats8 entries = at.rays.slabs.enter(node, at.best.t, entered);
    if (entered != 0u) {
      if (kKind == RayKind::any) {
        const u32 first = lowest_bit(entered);
        for (u32 rest = entered & (entered - 1u); rest != 0u;) {
          const u32 k = highest_bit(rest);
          rest ^= 1u << k;
          *at.top++ = {0.0f, node.child[k]};
        }
        at.next = node.child[first];
      } else {
        const u32 a = lowest_bit(entered);
        entered &= entered - 1u;
        if (entered == 0u) {
          at.next = node.child[a];
        } else {
          Open* const bottom = at.top;
          *at.top++ = {entries[a], node.child[a]};
          for (; entered != 0u; entered &= entered - 1u) {
            const u32 k = lowest_bit(entered);
            insert_open(bottom, at.top, Open{entries[k], node.child[k]});
          }
          at.next = (--at.top)->reference;
        }
      }
      fetch(tree, at.next);
      return true;
    }
  } else {
    intersect_block_of(tree, at.next, at.rays.lanes, 0u, at.best, accepts);
    if (kKind == RayKind::any && at.best.found()) return false;
  }
  do {
    if (at.top == at.open) return false;
    --at.top;
  } while (kKind == RayKind::closest && at.top->entry > at.best.t);
  at.next = at.top->reference;
  fetch(tree, at.next);
  return true;
}

/// Traverses the tree with kAtOnce rays in turns. begin(ray) sets rays, best and number for the
/// next ray, and returns false if there is no further ray. end(ray) receives its best hit. The tree
/// must not be empty.
template <RayKind kKind, u32 kAtOnce, class Begin, class End, class Accepts>
inline void walk_in_turns(const WideTree& tree, Begin begin, End end, const Accepts& accepts) {
  std::array<WalkingRay, kAtOnce> all;
  const auto start = [&](WalkingRay& at) {
    if (!begin(at)) return false;
    at.next = tree.root;
    at.top = at.open;
    return true;
  };
  u32 count = 0;
  while (count < kAtOnce && start(all[count])) ++count;
  std::array<WalkingRay*, kAtOnce> turn;
  for (u32 k = 0; k < count; ++k) turn[k] = &all[k];
  while (count > 0u)
    for (u32 k = 0; k < count; ++k) {
      WalkingRay& at = *turn[k];
      if (visit_next<kKind>(tree, at, accepts)) continue;
      end(at);
      if (!start(at)) turn[k--] = turn[--count];
    }
}

}  // namespace ballotcast::detail
