// The extension module: what ballotcast's Python code calls. Its functions take arrays that Python
// has checked.
#include "scene.hpp"

NB_MODULE(_native, module) {
  using namespace ballotcast;
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // what lives until the process ends is no fault
  // Python registers the last one first.
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
