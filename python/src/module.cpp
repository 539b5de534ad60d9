// The extension module: what ballotcast's Python code calls. Its functions take arrays that Python
// has checked.
#include "scene.hpp"

NB_MODULE(_native, module) {
  using namespace ballotcast;
  namespace nb = nanobind;
  // Python frees not all objects when a process ends. That is usual, and no fault of users.
  nb::set_leak_warnings(false);
  // The most general comes first: nanobind asks the last one first.
  nb::exception<Error>(module, "Error", PyExc_RuntimeError);
  nb::exception<UsageError>(module, "UsageError", PyExc_ValueError);
  nb::exception<InputError>(module, "InputError", PyExc_ValueError);
  nb::exception<OutputError>(module, "OutputError", PyExc_OSError);
  nb::exception<DeviceError>(module, "DeviceError", PyExc_RuntimeError);
  nb::exception<OutOfDeviceMemory>(module, "OutOfDeviceMemory", PyExc_MemoryError);
  module.attr("__version__") = version();
  nb::class_<python::SceneHandle> scene(module, "SceneHandle");
  python::bind_scenes(module, scene);
  python::bind_casts(module, scene);
  python::bind_distances(scene);
  python::bind_pictures(module, scene);
  python::bind_explanations(scene);
  python::bind_gpu(module);
}
