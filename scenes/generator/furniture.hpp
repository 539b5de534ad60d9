// The pieces that stand or hang in the atrium, each built in the mason's frame.
#pragma once

#include "mason.hpp"

namespace ballotcast::detail {

/// A round column at (x, 0) in the Tuscan order: plinth, torus, tapering shaft, bell, abacus.
/// `r` is the radius of the shaft at its foot.
void column(Mason& mason, double x, double foot, double top, double r);

/// A wooden door with a stone frame, in the wall z = `wall`. Its sill is at y = `sill`.
void door(Mason& mason, double x, double wall, double sill);

/// A cloth with a golden band, hung in front of the upper parapet. `shift` in [0, 1) moves its
/// folds.
void banner(Mason& mason, double x, const char* cloth, double shift);

/// A round basin with a bowl on a stem, around the origin.
void fountain(Mason& mason);

/// A clipped tree in an urn.
void urn(Mason& mason, dvec3 foot);

}  // namespace ballotcast::detail
