// The entry point of the program.
#include "cli/program.hpp"

int main(int argc, char** argv) { return ballotcast::detail::run_program(argc, argv); }
