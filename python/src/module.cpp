// The extension module: the functions that ballotcast's Python code calls. The Python code has
// checked their arrays.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <thread>
#include <utility>
#include <vector>

#include "backends/device/backend.hpp"
#include "camera.hpp"
#include "scene.hpp"

namespace ballotcast::python {
namespace {

/// Makes a Python exception class for an error of the library. The class is also a subclass of
/// `kind`.
template <class Thrown>
void bind_error(nb::module_& module, const nb::object& base, const char* name, PyObject* kind,
                const char* doc) {
  nb::object made = nb::exception<Thrown>(module, name, nb::make_tuple(base, nb::handle(kind)));
  made.attr("__doc__") = doc;
  made.attr("__module__") = "ballotcast";
}

void bind_errors(nb::module_& module) {
  nb::object base = nb::steal(
      PyErr_NewExceptionWithDoc("ballotcast.Error", "The base of all errors of this package's own.",
                                PyExc_Exception, nullptr));
  module.attr("Error") = base;
  // The most general error comes first, because nanobind tries the last one first.
  bind_error<Error>(module, base, "SceneError", PyExc_RuntimeError,
                    "A scene can't do that now: it has moved since, or another call has it.");
  bind_error<UsageError>(module, base, "UsageError", PyExc_ValueError,
                         "An argument is invalid, such as an unknown name. Correct the call.");
  bind_error<InputError>(module, base, "InputError", PyExc_ValueError,
                         "A file can't be read, or a file or mesh can't be used. The message names "
                         "the file and, if known, the line.");
  bind_error<OutputError>(module, base, "OutputError", PyExc_OSError,
                          "A file can't be written. Check path, permissions and free disk space.");
  bind_error<DeviceError>(module, base, "DeviceError", PyExc_RuntimeError,
                          "A GPU is missing, too small, too old, or failed. Another device gives "
                          "the same result.");
  bind_error<OutOfDeviceMemory>(module, base, "OutOfDeviceMemory", PyExc_MemoryError,
                                "A device has not enough memory. A smaller picture or scene, or a "
                                "larger max_memory, may help.");
}

/// Returns the machines that can be used here: their names for `device`, and their descriptions.
std::vector<std::pair<std::string, std::string>> devices() {
  std::vector<std::pair<std::string, std::string>> all;
  const auto find = [&all] {
    for (const detail::BackendInfo& backend : detail::backends()) {
      if (!backend.unusable().empty()) continue;
      // Emulated machines may have any number; only one is listed.
      const std::uint32_t count = backend.has_times ? backend.count() : 1;
      for (std::uint32_t i = 0; i < count; ++i) {
        const detail::MachineRef machine{&backend, i};
        machine.use();
        all.emplace_back(backend.has_times ? machine.name() : std::string(backend.name),
                         backend.describe());
      }
    }
  };
  // Runs in a separate thread, because machine.use() changes the current machine of its thread.
  without_gil([&] { std::thread(find).join(); });
  return all;
}

}  // namespace
}  // namespace ballotcast::python

NB_MODULE(_native, module) {
  using namespace ballotcast;
  namespace nb = nanobind;
  // Python does not free all objects when a process ends. That is normal, so give no warning.
  nb::set_leak_warnings(false);
  python::bind_errors(module);
  module.def("devices", &python::devices);
  module.attr("__version__") = version();
  nb::class_<python::SceneHandle> scene(module, "SceneHandle");
  python::bind_cameras(module);
  python::bind_scenes(module, scene);
  python::bind_casts(module, scene);
  python::bind_distances(scene);
  python::bind_pictures(module, scene);
  python::bind_explanations(scene);
  python::bind_gpu(module);
}
