// Draws the cases of a suite with each of their setups. Cases with a command are drawn by other
// programs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "compare/suite/manifest.hpp"

namespace ballotcast::detail {

/// The setups of a case. If `devices` is not empty, they replace the devices of the case. A case
/// with a command has exactly one setup.
std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices = {});

/// The result of drawing a case with a setup.
struct Drawing {
  // The reason why the case can't be drawn on this computer, or "". If there is one, the other
  // members are empty.
  std::string skipped;
  SampledImage image;
  std::vector<u8> png;  // the picture as a PNG file
  std::string remark;   // a remark on the picture if it shows nothing or is black; else ""
  // Hits of the camera rays, in the order of Frame::hits; empty for commands
  std::vector<Hit> hits;
  CastCounts counts;
  bool is_shared = false;  // true if several machines drew it, so its counters are not compared
};

/// Draws cases, one at a time. Keeps the last scene and its trees for the next case.
class CaseRenderer {
 public:
  /// `suite` must outlive this object. If `alone`, draws without the other processes of this run.
  explicit CaseRenderer(const Suite& suite, bool alone = false) : suite_(suite), alone_(alone) {}

  /// Draws a case. Throws InputError if the scene can't be read, and DeviceError if the device
  /// fails. Throws InputError for a case whose command fails, takes too long, or writes no PNG.
  Drawing draw(const SuiteCase& c, const Setup& setup);

  /// Like `draw`, but with `scene` instead of the case's own.
  Drawing draw(const SuiteCase& c, const Setup& setup,
               std::shared_ptr<const SceneData> scene) const;

  /// The camera of a case: the one that the suite gives, or one chosen for the scene.
  Camera camera_of(const SuiteCase& c, const Setup& setup);

  /// The scene of a case. The first call for a scene file loads it; cases of this file share it.
  /// Throws InputError if it can't be loaded.
  std::shared_ptr<const SceneData> scene_of(const SuiteCase& c);

  /// The hashes of the files that the case's scene consists of, by their names relative to the
  /// suite.
  std::map<std::string, std::string> files_of(const SuiteCase& c);

  /// What was left out of the scenes that were read so far, one line per warning.
  std::vector<std::string> warnings() const;

  /// Descriptions of the devices that were used so far, by their names.
  const std::map<std::string, std::string>& machines() const { return machines_; }

 private:
  Renderer& renderer_for(const SuiteCase& c, const Setup& setup);

  const Suite& suite_;
  const bool alone_;
  std::map<std::string, std::shared_ptr<const SceneData>> scenes_;
  std::map<std::string, std::map<std::string, std::string>> files_;
  // Only the renderers of the last scene are kept: suites draw one scene after another, and device
  // memory is small.
  std::string rendered_scene_;
  std::map<std::string, std::unique_ptr<Renderer>> renderers_;
  std::map<std::string, std::string> machines_;
  // Remarks for Drawing::remark, by the name of the case
  std::map<std::string, std::string> remarks_;
};

/// The reason why this computer can't draw on `device`, or "".
std::string unusable(const std::string& device);

}  // namespace ballotcast::detail
