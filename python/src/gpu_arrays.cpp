#include "gpu_arrays.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <utility>

#include "arrays.hpp"
#include "backends/cuda/stream_caster.hpp"

namespace ballotcast::python {

using namespace nb::literals;

namespace {

/// An array of numbers: its address, and its strides in elements; or, if `address` is 0, one value
/// for all items.
StridedNumbers strided(Address address, bool is_double, const std::vector<std::int64_t>& strides,
                       std::int64_t step, const std::array<double, 3>& value) {
  StridedNumbers numbers{};
  numbers.data = pointer<const void>(address);
  copy_axes(strides, numbers.stride);
  numbers.step = step;
  numbers.is_double = is_double;
  std::copy(value.begin(), value.end(), numbers.value);
  return numbers;
}

/// GPU memory that an array of this module owns.
class GpuMemory {
 public:
  GpuMemory(std::uint64_t bytes, int device) : device_(device), memory_(taken(bytes, device)) {}
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  ~GpuMemory() { detail::give_back_from_caller(memory_); }
  Address address() const { return reinterpret_cast<std::uintptr_t>(memory_); }
  void fill(const Numbers<const std::uint32_t>& from) const {
    const detail::OnDevice there(device_);
    detail::copy_for_caller(memory_, from.data(), from.nbytes());
    detail::wait_for(nullptr);
  }

 private:
  static void* taken(std::uint64_t bytes, int device) {
    const detail::OnDevice there(device);
    return detail::take_for_caller(bytes);
  }

  int device_;
  void* memory_;
};

/// An array that another library lends through DLPack.
class Imported {
 public:
  using Array = nb::ndarray<nb::ro, nb::device::cuda>;

  explicit Imported(Array array) : array_(std::move(array)) {}
  Address address() const { return reinterpret_cast<std::uintptr_t>(array_.data()); }
  std::vector<std::int64_t> shape() const {
    return axes([&](auto i) { return array_.shape(i); });
  }
  std::vector<std::int64_t> strides() const {
    return axes([&](auto i) { return array_.stride(i); });
  }
  /// The type in the notation of NumPy, for example "f4".
  std::string type() const {
    const auto code = static_cast<nb::dlpack::dtype_code>(array_.dtype().code);
    const char kind = code == nb::dlpack::dtype_code::Float  ? 'f'
                      : code == nb::dlpack::dtype_code::Int  ? 'i'
                      : code == nb::dlpack::dtype_code::UInt ? 'u'
                                                             : 'V';
    return kind + std::to_string(array_.dtype().bits / 8);
  }

 private:
  template <class Number>
  std::vector<std::int64_t> axes(const Number& number) const {
    std::vector<std::int64_t> numbers(array_.ndim());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<std::int64_t>(number(i));
    return numbers;
  }

  Array array_;
};

nb::dlpack::dtype dtype_called(const std::string& type) {
  if (type == "f4") return nb::dtype<float>();
  if (type == "f8") return nb::dtype<double>();
  if (type == "i8") return nb::dtype<std::int64_t>();
  if (type == "i4") return nb::dtype<std::int32_t>();
  return nb::dtype<bool>();
}

/// Memory of this module, lent to libraries that take DLPack.
using Lent = nb::ndarray<nb::array_api, nb::device::cuda>;

Lent exported(const nb::object& memory, const std::vector<std::size_t>& shape,
              const std::string& type, int device) {
  const auto* const owned = nb::cast<const GpuMemory*>(memory);
  return Lent(pointer<void>(owned->address()), shape.size(), shape.data(), memory, nullptr,
              dtype_called(type), nb::device::cuda::value, device);
}

/// The filter of a cast. Addresses are of arrays in GPU memory; 0 means none.
RayFilter filter_on_gpu(std::uint32_t sides, std::uint32_t mask, Address masks, Address skip,
                        std::uint32_t skip_instance, Address skip_instances) {
  return {static_cast<Sides>(sides),
          mask,
          pointer<const std::uint32_t>(masks),
          pointer<const std::uint32_t>(skip),
          skip_instance,
          pointer<const std::uint32_t>(skip_instances)};
}

}  // namespace

void bind_gpu_arrays(nb::module_& module) {
  nb::class_<StridedNumbers>(module, "StridedNumbers");
  nb::class_<detail::RayArrays>(module, "GpuRayArrays");
  nb::class_<detail::PointArray>(module, "GpuPointArray");
  nb::class_<detail::PoseArrays>(module, "GpuPoseArrays");
  nb::class_<RayFilter>(module, "GpuFilter")
      .def("__init__", [](RayFilter* filter, std::uint32_t sides, std::uint32_t mask, Address masks,
                          Address skip, std::uint32_t skip_instance, Address skip_instances) {
        new (filter)
            RayFilter(filter_on_gpu(sides, mask, masks, skip, skip_instance, skip_instances));
      });
  nb::class_<GpuMemory>(module, "GpuMemory")
      .def(nb::init<std::uint64_t, int>(), "bytes"_a, "device"_a)
      .def_prop_ro("address", &GpuMemory::address)
      .def("fill", &GpuMemory::fill, "numbers"_a);
  nb::class_<Imported>(module, "GpuImport")
      .def(nb::init<Imported::Array>(), "capsule"_a)
      .def_prop_ro("address", &Imported::address)
      .def_prop_ro("shape", &Imported::shape)
      .def_prop_ro("strides", &Imported::strides)
      .def_prop_ro("type", &Imported::type);
  module.def("gpu_export", &exported, "memory"_a, "shape"_a, "type"_a, "device"_a);
  module.def("strided", &strided, "address"_a, "is_double"_a, "strides"_a, "step"_a, "value"_a);
  module.def("gpu_device_of",
             [](Address address) { return detail::device_of(pointer<void>(address)); });
  module.def("gpu_wait", [](Address stream, int device) {
    const nb::gil_scoped_release unlocked;
    const detail::OnDevice there(device);
    detail::wait_for(pointer<void>(stream));
  });
}

}  // namespace ballotcast::python
