// Tests scenes that are copied from the host to one machine, and from there to the others.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "backends/several/machines.hpp"
#include "ballotcast/error.hpp"
#include "helpers/scene_around.hpp"

namespace ballotcast::detail {
namespace shared_upload_test {

using namespace std::chrono_literals;

/// A scene that remembers how it was copied to its machine. Copying it can be made to fail.
class CopiedScene final : public testing::SceneAround {
 public:
  enum class Copies { work, fail, are_impossible };

  CopiedScene(std::string from, Copies copies)
      : SceneAround(nullptr), from_(std::move(from)), copies_(copies) {}

  std::unique_ptr<ResidentScene> copied() const override {
    if (copies_ == Copies::fail) throw DeviceError("broken");
    if (copies_ == Copies::are_impossible) return nullptr;
    return std::make_unique<CopiedScene>("machine", copies_);
  }
  const std::string& from() const { return from_; }

 private:
  const std::string from_;
  const Copies copies_;
};

/// The sources from which the scenes of three machines were copied, as text.
std::string copied_from(CopiedScene::Copies copies, bool first_fails = false) {
  SharedUpload uploads;
  const auto from_host = [&]() -> std::unique_ptr<ResidentScene> {
    return std::make_unique<CopiedScene>("host", copies);
  };
  std::array<std::unique_ptr<ResidentScene>, 3> scenes;
  std::array<MachineThread, 3> threads;
  std::vector<std::future<void>> works;
  for (const std::size_t other : {1u, 2u})
    works.push_back(threads[other].start([&, other] { scenes[other] = uploads.other(from_host); }));
  works.push_back(threads[0].start([&] {
    scenes[0] = uploads.first([&] {
      std::this_thread::sleep_for(5ms);
      if (first_fails) throw DeviceError("broken");
      return from_host();
    });
  }));
  try {
    wait_for(works);
  } catch (const DeviceError&) {  // the first machine fails
  }
  std::string all;
  for (const auto& scene : scenes)
    all += (scene ? static_cast<const CopiedScene&>(*scene).from() : "none") + " ";
  return all;
}

TEST(SharedUpload, copies_from_the_host_once) {
  EXPECT_EQ(copied_from(CopiedScene::Copies::work), "host machine machine ");
}

TEST(SharedUpload, copies_from_the_host_if_machines_can_not_do_it) {
  EXPECT_EQ(copied_from(CopiedScene::Copies::are_impossible), "host host host ");
  EXPECT_EQ(copied_from(CopiedScene::Copies::fail), "host host host ");
}

TEST(SharedUpload, ends_if_the_first_fails) {
  EXPECT_EQ(copied_from(CopiedScene::Copies::work, true), "none none none ");
}

}  // namespace shared_upload_test
}  // namespace ballotcast::detail
