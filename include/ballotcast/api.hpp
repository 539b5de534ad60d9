// Marks on declarations: what the shared library exports, and what CUDA programs may call in
// kernels.
#pragma once

/// Before a class or function: it is a part of the library's interface.
#if defined(__GNUC__)
#define BALLOTCAST_API __attribute__((visibility("default")))
#else
#define BALLOTCAST_API
#endif

/// Before a function: under nvcc it may be called on the host and on the device.
#if defined(__CUDACC__)
#define BALLOTCAST_HD __host__ __device__
#else
#define BALLOTCAST_HD
#endif
