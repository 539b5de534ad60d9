// Fuzz targets, which get arbitrary bytes. Each is one file in targets/ and one row in targets.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail::fuzz {

/// A row of the table of targets.
struct Target {
  std::string_view name;
  std::string_view summary;
  u32 longest_input;  // bytes; longer inputs find nothing new and cost time
  /// Reads `input`. Returns if it was read, or refused in a way that `read_or_refused` accepts.
  /// Anything else ends the process.
  void (*run)(std::span<const u8> input);
  /// Makes inputs to begin with, besides those in tests/fuzz/corpus: of a format that this program
  /// alone reads and writes, so that they are of its version. All of them are read.
  std::vector<std::vector<u8>> (*seeds)() = nullptr;
};

/// All targets.
const std::vector<Target>& targets();

/// The target called `name`, or null.
const Target* target_called(std::string_view name);

// The functions of the rows.
void run_cameras(std::span<const u8> input);
void run_glb(std::span<const u8> input);
void run_gltf(std::span<const u8> input);
void run_gzip(std::span<const u8> input);
void run_linear(std::span<const u8> input);
void run_obj(std::span<const u8> input);
void run_obj_chunks(std::span<const u8> input);
void run_off(std::span<const u8> input);
void run_packed(std::span<const u8> input);
void run_ply(std::span<const u8> input);
void run_png(std::span<const u8> input);
void run_polygon(std::span<const u8> input);
void run_rays(std::span<const u8> input);
void run_request(std::span<const u8> input);
void run_results(std::span<const u8> input);
void run_scene_file(std::span<const u8> input);
void run_stl(std::span<const u8> input);
void run_suite(std::span<const u8> input);
void run_texture(std::span<const u8> input);

std::vector<std::vector<u8>> packed_seeds();

}  // namespace ballotcast::detail::fuzz
