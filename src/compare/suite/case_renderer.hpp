// The renderer_of_cases: draws the cases of a suite, or has other programs draw them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "compare/suite/setup.hpp"

namespace ballotcast::detail {

/// What a setup made of a case.
struct Drawing {
  std::string skipped;  // why it can't be drawn here, or ""; then there is nothing else
  SampledImage image;
  std::vector<u8> png;    // the picture's file
  std::vector<Hit> hits;  // of the camera rays, in the order of Frame::hits; none of commands
  CastCounts counts;
};

/// Draws. Keeps scenes and what was built over them. One at a time.
class CaseRenderer {
 public:
  /// `suite` must outlive it.
  explicit CaseRenderer(const Suite& suite) : suite_(suite) {}

  /// Throws InputError when the scene can't be read, DeviceError when the device fails, and for
  /// commands InputError when they fail, take too long, or leave no PNG.
  Drawing draw(const SuiteCase& c, const Setup& setup);

  /// As `draw`, of another scene than the case's.
  Drawing draw(const SuiteCase& c, const Setup& setup,
               std::shared_ptr<const SceneData> scene) const;

  /// The camera that draws a case, stated or chosen.
  Camera camera_of(const SuiteCase& c, const Setup& setup);

  /// The case's scene, as it is drawn.
  std::shared_ptr<const SceneData> scene_of(const SuiteCase& c);

  /// Hash of each file that the case's scene is made of, by its name relative to the suite.
  std::map<std::string, std::string> files_of(const SuiteCase& c);

  /// What was left out of the scenes that were read so far, a line each.
  std::vector<std::string> warnings() const;

  /// What draws a case: the machine's description for devices that were used so far, by name.
  const std::map<std::string, std::string>& machines() const { return machines_; }

 private:
  Renderer& renderer_for(const SuiteCase& c, const Setup& setup);

  const Suite& suite_;
  std::map<std::string, std::shared_ptr<const SceneData>> scenes_;
  std::map<std::string, std::map<std::string, std::string>> files_;
  // Of the scene drawn last: suites go through scenes one after another, and devices are small.
  std::string rendered_scene_;
  std::map<std::string, std::unique_ptr<Renderer>> renderers_;
  std::map<std::string, std::string> machines_;
};

/// Why nothing can be drawn on `device` here, or "".
std::string unusable(const std::string& device);

}  // namespace ballotcast::detail
