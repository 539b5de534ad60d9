// The time since the process began.
#pragma once

namespace ballotcast::detail {

/// Starts the clock. Call it first of all in main.
void start_process_clock();

/// Milliseconds from the begin of the process to start_process_clock: the time that it took to load
/// the program and its libraries. The time of the processor stands for it, because the process
/// does nothing else until then.
double milliseconds_before_main();

/// Milliseconds since the process began.
double process_milliseconds();

}  // namespace ballotcast::detail
