#include "backends/parts/seated_parts.hpp"

namespace ballotcast::detail {

void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work) {
  std::vector<std::future<void>> works;
  for (std::size_t i = 0; i < machines.size(); ++i)
    works.push_back(machines[i].thread->start([&, i] {
      naming(machines[i], [&] {
        for (const std::size_t part : machines[i].parts) work(i, part);
      });
    }));
  wait_for(works);
}

Approach approach_of(const PreparedScene& whole) {
  if (whole.scene->instances.empty()) return {whole.view.magnitude, 1.0f, 0.0f};
  const WorldTree& world = whole.levels.worlds[0];
  return {world.frame.magnitude, world.slack, world.least_slope};
}

PartBoxes SeatedParts::boxes() const {
  PartBoxes out{{}, approach};
  for (const SeatedPart& part : parts) out.boxes.push_back(part.part.box);
  return out;
}

SeatedParts::~SeatedParts() {
  try {
    on_parts(machines, [&](std::size_t, std::size_t part) { parts[part].scene.reset(); });
  } catch (...) {  // errors here were already reported by the call that failed
  }
}

}  // namespace ballotcast::detail
