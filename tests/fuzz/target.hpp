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
  u32 longest_input;  // in bytes; longer inputs find nothing new and cost time
  /// Reads `input`. Returns if the input was read, or refused as `read_or_refused` allows. Ends the
  /// process otherwise.
  void (*run)(std::span<const u8> input);
  /// Generates further initial inputs, besides the files in tests/fuzz/corpus. For formats that
  /// only this program writes, so that the inputs have the present version. All of them can be
  /// read.
  std::vector<std::vector<u8>> (*seeds)() = nullptr;
};

/// All targets.
const std::vector<Target>& targets();

/// The target called `name`, or null.
const Target* target_called(std::string_view name);

// The functions in the rows of the table.
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
