// The work of the PyTorch operator on one ray. It is the same code on a GPU and on the CPU.
#pragma once

#include <cstdint>

#include "ballotcast/device.hpp"

struct CUstream_st;  // a cudaStream_t points to it; this header needs no CUDA Toolkit

/// A cast of `count` rays, which are aligned to 16 bytes. Each ray gets the t and the triangle of
/// its closest hit, or -1 as the triangle for a miss.
struct Cast {
  ballotcast::device::SceneView scene;
  const ballotcast::Ray* rays;
  float* t;
  std::int64_t* triangles;
  std::uint32_t count;

  BALLOTCAST_HD void run(std::uint32_t i) const {
    const ballotcast::Hit hit = ballotcast::device::closest(scene, rays[i]);
    t[i] = hit.t;
    triangles[i] = hit.found() ? static_cast<std::int64_t>(hit.triangle) : -1;
  }
};

/// Enqueues the cast on a stream of CUDA.
void enqueue(const Cast& cast, CUstream_st* stream);
