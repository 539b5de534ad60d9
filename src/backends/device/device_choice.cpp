#include "backends/device/device_choice.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "backends/parts/parts.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/several/machines.hpp"
#include "backends/several/several_scene.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

/// In a list, stands for all machines of a backend. choose_device replaces it.
constexpr u32 kAll = std::numeric_limits<u32>::max();
constexpr u32 kMostMachines = 64;

/// Splits a text at separators.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  for (;;) {
    const std::size_t end = text.find(separator);
    all.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return all;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void throw_no_list(std::string_view text, const std::string& why) {
  throw UsageError("device '" + std::string(text) + "': " + why +
                   "; a list of machines is written like cuda:0,2 or cuda:all+cpu");
}

u32 machine_number(std::string_view text, std::string_view number) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || value >= kMostMachines)
    throw_no_list(text, "'" + std::string(number) + "' is no number of a machine");
  return value;
}

/// Runs work() in a thread whose current machine is `machine`. Returns its result.
template <class Work>
auto on_machine(const MachineRef& machine, const Work& work) {
  decltype(work()) result;
  MachineThread thread;
  std::vector<std::future<void>> works;
  works.push_back(thread.start([&] {
    machine.use();
    result = work();
  }));
  wait_for(works);
  return result;
}

/// If several processes run on this computer, the machine of the backend for this process; machines
/// are assigned to processes in turn. Otherwise empty: each thread keeps its current machine.
std::vector<MachineRef> machine_of_this_process(const BackendInfo& backend) {
  const Processes* const all = sharing_processes();
  if (!all || backend.count() < 2u) return {};
  return {{&backend, all->rank_here() % backend.count()}};
}

void require_usable(const BackendInfo& backend) {
  const std::string reason = backend.unusable();
  if (!reason.empty())
    throw DeviceError("device " + std::string(backend.name) + " can't be used: " + reason);
}

/// The machines of this process for a device name.
DeviceChoice choose_machines(std::string_view name) {
  if (name == "auto") {
    const BackendInfo& cuda = backend_called("cuda");
    const std::string reason = cuda.unusable();
    if (reason.empty()) return {&cuda, "", machine_of_this_process(cuda)};
    return {&backend_called("cpu"),
            "no usable GPU (" + reason + "): drawing on the CPU, with the same result",
            {}};
  }
  const std::vector<MachineRef> listed = listed_machines(name);
  if (listed.empty()) {
    const BackendInfo& backend = backend_called(name);
    require_usable(backend);
    return {&backend, "", machine_of_this_process(backend)};
  }
  DeviceChoice choice{listed.front().backend, "", {}};
  for (const MachineRef& machine : listed) {
    require_usable(*machine.backend);
    const u32 count = machine.backend->count();
    if (machine.index == kAll) {
      for (u32 i = 0; i < count; ++i) choice.machines.push_back({machine.backend, i});
    } else if (machine.index < count) {
      choice.machines.push_back(machine);
    } else {
      throw UsageError("device '" + std::string(name) + "': there is no " +
                       std::string(machine.backend->name) + ":" + std::to_string(machine.index) +
                       "; this computer has " + std::to_string(count) + ", numbered from 0");
    }
  }
  return choice;
}

}  // namespace

std::string MachineRef::name() const {
  const std::string plain(backend->name);
  return backend->count() > 1 || index > 0 ? plain + ":" + std::to_string(index) : plain;
}

void MachineRef::use() const {
  if (backend->use) backend->use(index);
}

std::vector<MachineRef> listed_machines(std::string_view text) {
  if (text.find_first_of(":+") == std::string_view::npos) {
    if (text != "auto") backend_called(text);
    return {};
  }
  std::vector<MachineRef> machines;
  const auto add = [&](const BackendInfo& backend, u32 index) {
    for (const MachineRef& other : machines)
      if (other.backend == &backend &&
          (other.index == index || other.index == kAll || index == kAll))
        throw_no_list(text, "a machine of " + std::string(backend.name) + " is listed twice");
    machines.push_back({&backend, index});
  };
  for (const std::string_view one : split(text, '+')) {
    const std::size_t colon = one.find(':');
    const BackendInfo& backend = backend_called(one.substr(0, colon));
    if (colon == std::string_view::npos) {
      add(backend, 0);
      continue;
    }
    const std::string_view numbers = one.substr(colon + 1);
    if (numbers == "all")
      add(backend, kAll);
    else
      for (const std::string_view number : split(numbers, ','))
        add(backend, machine_number(text, number));
  }
  return machines;
}

DeviceChoice choose_device(std::string_view name) {
  DeviceChoice choice = choose_machines(name);
  choice.processes = sharing_processes();
  return choice;
}

DeviceChoice choose_backend(std::string_view name) {
  if (!listed_machines(name).empty())
    throw UsageError("device '" + std::string(name) + "': this is done by one machine; name it " +
                     "without a number");
  return choose_machines(name);
}

std::string DeviceChoice::name() const {
  if (machines.empty()) return std::string(backend->name);
  std::string all;
  for (const MachineRef& machine : machines) all += (all.empty() ? "" : "+") + machine.name();
  return all;
}

bool DeviceChoice::has_times() const {
  return machines.empty() ? backend->has_times
                          : std::ranges::all_of(machines, [](const MachineRef& machine) {
                              return machine.backend->has_times;
                            });
}

bool DeviceChoice::are_of_one_kind() const {
  return std::ranges::all_of(machines,
                             [&](const MachineRef& machine) { return machine.backend == backend; });
}

std::string DeviceChoice::description() const {
  const auto described = [](const auto& describe) -> std::string {
    try {
      return describe();
    } catch (const DeviceError&) {
      return "has failed";
    }
  };
  if (machines.empty()) return described(backend->describe);
  std::string all;
  for (const MachineRef& machine : machines)
    all += (all.empty() ? "" : "; ") + machine.name() + ": " +
           described([&] { return on_machine(machine, machine.backend->describe); });
  return all;
}

std::optional<u64> DeviceChoice::free_memory() const {
  if (machines.empty())
    return backend->free_memory ? std::optional<u64>(backend->free_memory()) : std::nullopt;
  std::optional<u64> least;
  for (const MachineRef& machine : machines) {
    if (!machine.backend->free_memory) continue;
    const u64 free = on_machine(machine, machine.backend->free_memory);
    least = std::min(free, least.value_or(free));
  }
  return least;
}

BuildTree build_on(const DeviceChoice& device, const std::optional<u64>& most_bytes) {
  BuildTree build = build_on(*device.backend, most_bytes);
  if (!device.machines.empty())
    build.build = [first = device.machines.front(), build = build.build](
                      const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress) {
      try {
        return on_machine(first, [&] { return build(builder, mesh, copies, progress); });
      } catch (const DeviceError&) {
        // The machine has failed. It will fail again when the scene is copied to it, and this
        // failure is reported.
        return build_on_host(builder, mesh, copies, progress);
      }
    };
  return build;
}

std::unique_ptr<ResidentScene> DeviceChoice::upload(
    const PreparedScene& scene, const std::function<void(const std::string&)>& on_loss) const {
  if (machines.empty() && !processes) return backend->upload(scene);
  if (processes) require_same(*processes, "the device", std::string(backend->name));
  std::vector<Member> members;
  if (machines.empty())
    members.push_back(
        {name(), [this_backend = backend, &scene] { return this_backend->upload(scene); }});
  std::map<const BackendInfo*, std::shared_ptr<SharedUpload>> uploads;
  for (const MachineRef& machine : machines) {
    std::shared_ptr<SharedUpload>& of_backend = uploads[machine.backend];
    const bool is_first = !of_backend;
    if (is_first) of_backend = std::make_shared<SharedUpload>();
    members.push_back({machine.name(), [machine, &scene, of_backend, is_first] {
                         const auto from_host = [&] {
                           machine.use();
                           return machine.backend->upload(scene);
                         };
                         if (is_first) return of_backend->first(from_host);
                         // Starting a machine takes some time. Meanwhile the first machine copies
                         // the scene.
                         machine.use();
                         return of_backend->other(from_host);
                       }});
  }
  const bool share_memory = are_of_one_kind();
  return processes
             ? make_scene_of_processes(*processes, std::move(members), scene, share_memory, on_loss)
             : make_several_scene(std::move(members), share_memory, on_loss);
}

std::unique_ptr<ResidentScene> DeviceChoice::upload_parts(
    const PreparedScene& scene, const std::vector<ScenePart>& parts) const {
  std::vector<PartsMember> members;
  if (machines.empty()) members.push_back({name(), backend->upload, {}, {}});
  for (const MachineRef& machine : machines)
    members.push_back({machine.name(),
                       [machine](const PreparedScene& part) {
                         machine.use();
                         return machine.backend->upload(part);
                       },
                       {},
                       {}});
  for (std::size_t part = 0; part < parts.size(); ++part)
    members[machine_of_part(part, members.size())].parts.push_back(part);
  if (are_of_one_kind())
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::optional<MachineRef> machine =
          machines.empty() ? std::nullopt : std::optional(machines[i]);
      members[i].make_router = [router = backend->router, machine](const PartBoxes& boxes) {
        // A machine that holds no part has not been used yet.
        if (machine) machine->use();
        return router(boxes);
      };
    }
  return make_parts_scene(scene, parts, members);
}

}  // namespace ballotcast::detail
