// Draws the cases of a suite, each with its setups, or runs other programs that draw them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "compare/suite/manifest.hpp"

namespace ballotcast::detail {

/// The setups of a case. If `devices` is not empty, it replaces the devices of the case. A command
/// has exactly one setup.
std::vector<Setup> setups_of(const SuiteCase& c, const std::vector<std::string>& devices = {});

/// The result of drawing a case with a setup.
struct Drawing {
  // The reason why it can't be drawn here, or "". If it is set, the rest is empty.
  std::string skipped;
  SampledImage image;
  std::vector<u8> png;    // the picture's PNG file
  std::string remark;     // about the picture: that it shows nothing, or is black
  std::vector<Hit> hits;  // of the camera rays, in the order of Frame::hits; empty for commands
  CastCounts counts;
  bool is_shared = false;  // several machines drew it, so counters are not compared
};

/// Draws cases, one at a time. Keeps scenes and their trees for the next case.
class CaseRenderer {
 public:
  /// `suite` must outlive this object. `alone`: without the other processes of this run.
  explicit CaseRenderer(const Suite& suite, bool alone = false) : suite_(suite), alone_(alone) {}

  /// Draws a case. Throws InputError if the scene can't be read, DeviceError if the device fails.
  /// For a command, throws InputError if it fails, takes too long, or writes no PNG.
  Drawing draw(const SuiteCase& c, const Setup& setup);

  /// As `draw`, but with another scene than the case's own.
  Drawing draw(const SuiteCase& c, const Setup& setup,
               std::shared_ptr<const SceneData> scene) const;

  /// The camera of a case: the given one, or one chosen for the scene.
  Camera camera_of(const SuiteCase& c, const Setup& setup);

  /// The scene of a case, as it is drawn.
  std::shared_ptr<const SceneData> scene_of(const SuiteCase& c);

  /// The hash of each file that the case's scene consists of, by its name relative to the suite.
  std::map<std::string, std::string> files_of(const SuiteCase& c);

  /// What was left out of the scenes that were read so far, one line each.
  std::vector<std::string> warnings() const;

  /// Descriptions of the devices that were used so far, by device name.
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
  std::map<std::string, std::string> remarks_;  // Drawing::remark, by the name of the case
};

/// The reason why nothing can be drawn on `device` here, or "".
std::string unusable(const std::string& device);

}  // namespace ballotcast::detail
