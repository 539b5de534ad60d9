// Tests that NVRTC compiles device_nvrtc.hpp, and that the compiler can't fuse a product and a sum
// into a multiply-add, which would change results.
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail {
namespace nvrtc_test {

constexpr char kKernels[] = R"(
#include "device_header/own_answer.hpp"
extern "C" __global__ void answer_rays(ballotcast::device::SceneView scene, const own::Ray* rays,
                                       own::Answer* answers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  answers[i] = own::answer(scene, rays[i], 0u);
}
)";

std::string text_of(const std::string& path) {
  const std::vector<u8> bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

/// Compiles a program that can include device.hpp and own_answer.hpp. Returns its PTX, or "" if it
/// does not compile.
std::string compiled(const char* source, std::vector<const char*> options) {
  const std::string header = text_of(BALLOTCAST_GENERATED_INCLUDE "/ballotcast/device_nvrtc.hpp");
  const std::string own = text_of(BALLOTCAST_SOURCE_DIR "/tests/device_header/own_answer.hpp");
  const char* const texts[] = {header.c_str(), own.c_str()};
  const char* const names[] = {"ballotcast/device.hpp", "device_header/own_answer.hpp"};
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source, "kernels.cu", 2, texts, names) != NVRTC_SUCCESS)
    return "";
  options.push_back("--std=c++17");
  options.push_back("--gpu-architecture=compute_80");
  const nvrtcResult result =
      nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, ' '), ptx;
  nvrtcGetProgramLog(program, log.data());
  EXPECT_EQ(result, NVRTC_SUCCESS) << log;
  if (result == NVRTC_SUCCESS) {
    nvrtcGetPTXSize(program, &size);
    ptx.resize(size);
    nvrtcGetPTX(program, ptx.data());
  }
  nvrtcDestroyProgram(&program);
  return ptx;
}

/// An instruction of PTX, for example "mul.f32 %f3, %f1, %f2;".
struct Instruction {
  std::string name, to;
  std::vector<std::string> from;

  bool is(const char* operation) const {
    return name.rfind(operation, 0) == 0 && name.find(".f") != name.npos;
  }
  /// True if ptxas may fuse this instruction with others, because it names no rounding mode.
  bool is_free() const { return name.find(".rn") == name.npos; }
};

Instruction instruction_in(const std::string& line) {
  Instruction out;
  std::istringstream words(line);
  words >> out.name;
  std::string word;
  while (words >> word) {
    while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.pop_back();
    if (out.to.empty())
      out.to = word;
    else
      out.from.push_back(word);
  }
  return out;
}

/// The sums in a program that were fused with a product, or may be.
struct Sums {
  u32 fused = 0;                  // number of fused multiply-adds
  std::vector<std::string> free;  // additions of a product, which ptxas may fuse
};

Sums sums_in(const std::string& ptx) {
  Sums sums;
  // For each register: true if it holds a product that may be fused.
  std::map<std::string, bool> is_free_product;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(".entry") != line.npos || line.find(".func") != line.npos)
      is_free_product.clear();
    const Instruction at = instruction_in(line);
    if (at.is("fma")) ++sums.fused;
    if ((at.is("add") || at.is("sub")) && at.is_free())
      for (const std::string& from : at.from)
        if (is_free_product[from]) sums.free.push_back(line);
    is_free_product[at.to] = at.is("mul") && at.is_free();
  }
  return sums;
}

TEST(DeviceHeader, compiles_at_run_time_and_leaves_no_sum_of_products_to_be_fused) {
  const std::string ptx = compiled(kKernels, {}), exact = compiled(kKernels, {"--fmad=false"});
  ASSERT_NE(ptx.find(".entry answer_rays"), ptx.npos);
  const Sums sums = sums_in(ptx);
  EXPECT_EQ(sums.fused, sums_in(exact).fused) << "the compiler has fused sums of products";
  EXPECT_EQ(sums.free, std::vector<std::string>());
  EXPECT_GT(sums.fused, 100u);
}

TEST(DeviceHeader, compiles_with_the_options_that_cupy_has) {
  EXPECT_NE(compiled("#include \"ballotcast/device.hpp\"\n__global__ void kernel() {}",
                     {"-ftz=true", "-default-device"}),
            "");
}

TEST(DeviceHeader, would_be_noticed_if_a_sum_could_be_fused) {
  const Sums sums = sums_in(
      ".entry a\n mul.f32 %f3, %f1, %f2;\n mul.rn.f32 %f4, %f1, %f2;\n"
      " add.f32 %f5, %f4, %f1;\n sub.f32 %f6, %f1, %f3;\n fma.rn.f32 %f7, %f1, %f2, %f3;\n"
      ".entry b\n add.f32 %f5, %f3, %f1;\n");
  EXPECT_EQ(sums.fused, 1u);
  EXPECT_EQ(sums.free, std::vector<std::string>{" sub.f32 %f6, %f1, %f3;"});
}

}  // namespace nvrtc_test
}  // namespace ballotcast::detail
