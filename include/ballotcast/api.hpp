// Macros that mark declarations: symbols that the shared library exports, and functions that CUDA
// programs may call in kernels.
#pragma once

/// Marks a class or function as a part of the library's interface.
#if defined(__GNUC__)
#define BALLOTCAST_API __attribute__((visibility("default")))
#else
#define BALLOTCAST_API
#endif

/// Marks a function that nvcc compiles for host and device.
#if defined(__CUDACC__)
#define BALLOTCAST_HD __host__ __device__
#else
#define BALLOTCAST_HD
#endif
