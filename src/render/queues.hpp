// The queues of a cast with pipeline queue, pass by pass, as `ballotcast explain --queue` prints
// them: two runs are compared by comparing two texts.
#pragma once

#include <string>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "ballotcast/renderer.hpp"

namespace ballotcast::detail {

/// The ids of the rays that are still alive after each pass, in the order of the queue. That of the
/// last pass is empty.
using Queues = std::vector<std::vector<u32>>;

/// Casts rays with pipeline queue, on a machine that has pipelines. The host reads each counter,
/// whatever loop is chosen.
Queues queues_of(ResidentRays& rays, CastChoice choice);

/// The queues of the rays through the centres of all pixels, row by row: ray i goes through pixel i
/// % width of row i / width. Of the settings, size and camera count. Throws UsageError for devices
/// that have no queues, and for several machines.
Queues queues_of_picture(const Renderer& renderer, const RenderSettings& picture, RayKind kind,
                         const CastOptions& options);

/// One line per pass with its number of rays, and below it the ids, 8 in a line. It holds nothing
/// that differs between equal casts, such as times or the machine.
std::string queues_text(const Queues& queues);

/// One line per pass: the place of a ray in its queue, until the ray is in none.
std::string place_in_queues_text(const Queues& queues, u32 ray);

/// The queues as an object of JSON, whose member "passes" has an array of ids for each pass.
std::string queues_json(const Queues& queues, const CastOptions& options);

}  // namespace ballotcast::detail
