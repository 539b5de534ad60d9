// A fake libcuda.so.1, which needs no GPU. It behaves like a driver that is too old, or whose parts
// do not match. Environment variables control it:
//
//   FAKE_DRIVER_INIT=CODE        return code of cuInit (default: 0)
//   FAKE_DRIVER_VERSION=NUMBER   the CUDA version that the driver supports, 13000 for 13.0
//
// The few functions that the CUDA runtime calls before it gives up are declared here, so that this
// file also compiles without a CUDA Toolkit.
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kInvalidHandle = 400, kNotFound = 500;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

int not_there() { return kInvalidHandle; }

}  // namespace

extern "C" {

int cuInit(unsigned) { return number_from("FAKE_DRIVER_INIT", 0); }

int cuDriverGetVersion(int* version) {
  *version = number_from("FAKE_DRIVER_VERSION", 13000);
  return 0;
}

int cuGetExportTable(const void** table, const void*) {
  *table = nullptr;
  return kNotFound;
}

int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* status) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  *function = is("cuInit")               ? reinterpret_cast<void*>(cuInit)
              : is("cuDriverGetVersion") ? reinterpret_cast<void*>(cuDriverGetVersion)
              : is("cuGetExportTable")   ? reinterpret_cast<void*>(cuGetExportTable)
              : is("cuGetProcAddress") || is("cuGetProcAddress_v2")
                  ? reinterpret_cast<void*>(cuGetProcAddress_v2)
                  : reinterpret_cast<void*>(not_there);
  if (status) *status = 0;
  return 0;
}

int cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
}
