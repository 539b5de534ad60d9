#!/usr/bin/env bash
# Runs the examples of kernels that print numbers, and compares their output with the expected text
# below, which is the same on every machine.
#   kernel_examples_test.sh FOLDER_OF_BINARIES REPOSITORY_ROOT
set -u
binaries=$(realpath "$1")
root=$(realpath "$2")
source "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../support/checks.sh"

# prints NAME [ARGUMENT...]: expects that the example prints the text on standard input.
prints() {
  "$binaries/$1" "${@:2}" >stdout 2>stderr && diff - stdout >stderr
}
check "a lidar has a second return behind glass" prints two_returns <<'END'
beam  first  second
   0
   1
   2
   3  9.750
   4  9.750
   5  9.750
   6  3.938   9.750
   7  3.938   9.750
   8  3.938   6.750
   9  3.938   9.750
  10  9.750
  11  9.750
  12  9.750
  13
  14
  15
END
check "a sensor does not see its own body" prints own_body <<'END'
rays at        no robot
ground     683     1819
body      1092        0
arm        136        0
house      188      203
sky       1997     2074
END
check "view factors are counts that add up" prints view_factors <<'END'
            back   front   floor ceiling    left   right     out     all
back           0    1631    1615    1676    1606    1664       0    8192
front       1626       0    1668    1667    1643    1588       0    8192
floor       1634    1609       0    1635    1686    1628       0    8192
ceiling     1631    1635    1622       0    1675    1629       0    8192
left        1673    1676    1625    1606       0    1612       0    8192
right       1651    1627    1626    1611    1677       0       0    8192
END
check "votes pack what hits, in the order of lanes" prints pack_hits <<'END'
 0 |                                                                |
 0 |                                                                |
16 |                ................                                |
16 |                ................                                |
16 |                ................                                |
16 |                ................                                |
24 |                ................        ........                |
24 |                ................        ........                |
56 |    ........................................................    |
56 |    ........................................................    |
END

cat >cube.obj <<'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
END
# The grid extends from -0.5 to 1.5, so the distance of the point in its corner is sqrt(3) 7/16.
check "a grid of signed distances around a cube" prints sdf_grid cube.obj 16 grid.npy <<'END'
512 of 4096 points are inside; distances from -0.4375 to 0.7578
END
has_floats() { [[ $(wc -c <grid.npy) == $((128 + 4 * 4096)) && $(head -c 6 grid.npy | tail -c 5) == NUMPY ]]; }
check "it is an array of NumPy" has_floats
# Point (8, 8, 8) is 7/16 below the nearest side: float 0xbee00000.
holds_the_middle() { [[ $(od -An -tx4 -j $((128 + 4 * (8 * 256 + 8 * 16 + 8))) -N4 grid.npy) == " bee00000" ]]; }
check "the point in the middle has its distance" holds_the_middle
says_why() {  # says_why CODE TEXT ARGUMENT...
  "$binaries/sdf_grid" "${@:3}" >stdout 2>stderr
  [[ $? == "$1" ]] && grep -qF "$2" stderr
}
check "a missing mesh is an error" says_why 3 "none.obj: no such file" none.obj 16 grid.npy
check "so is a grid of no size" says_why 2 "N from 1 to 1024" cube.obj 0 grid.npy
check "and a file that can't be written" says_why 3 "/none/grid.npy" cube.obj 4 /none/grid.npy

# The kernel is compiled and run by tests/device_header/slots_test.cpp.
is_that_of_the_test() {
  kernel=$(sed -n '/^struct Find {/,/^};/p' "$root/docs/kernels.md")
  [[ -n $kernel && $kernel == "$(sed -n '/^struct Find {/,/^};/p' "$root/tests/device_header/slot_kernels.hpp")" ]]
}
check "the kernel of docs/kernels.md that notes lanes is one that is tested" is_that_of_the_test

torch_says_why() {
  python3 "$root/examples/torch_op/torch_op.py" >stdout 2>stderr
  [[ $? == 1 ]] && grep -q "usage: torch_op.py INCLUDE" stderr
}
check "the operator of PyTorch says how it is called" torch_says_why
finish
