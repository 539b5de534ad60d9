// The pieces that stand and hang in the atrium, each laid in the mason's frame.
#pragma once

#include "mason.hpp"

namespace ballotcast::detail {

/// A round column at (x, 0) after the Tuscan order: plinth, torus, swelling shaft, bell, abacus.
/// `r` is the radius of the shaft at its foot.
void column(Mason& mason, double x, double foot, double top, double r);

/// A wooden door with a stone frame in the wall z = `wall`, its sill at y = `sill`.
void door(Mason& mason, double x, double wall, double sill);

/// A cloth with a golden band, hung before the upper parapet; `shift` in [0, 1) turns its folds.
void banner(Mason& mason, double x, const char* cloth, double shift);

/// A round basin with a bowl on a stem, about the origin.
void fountain(Mason& mason);

/// A clipped tree in an urn.
void urn(Mason& mason, dvec3 foot);

}  // namespace ballotcast::detail
