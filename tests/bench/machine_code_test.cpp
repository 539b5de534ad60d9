// Tests how instructions are classified and counted in the output of the disassembler cuobjdump.
// The tests contain such output, so they need neither a GPU nor the CUDA Toolkit.
#include "bench/machine_code.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "ballotcast/error.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace machine_code_test {

/// An instruction as cuobjdump prints it, and its class.
struct Sample {
  const char* text;
  OpClass op;
};

using enum OpClass;
const Sample kSamples[] = {{"RED.E.ADD.STRONG.GPU [R4.64+0x24], R9", red},
                           {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64+0x24], R11", red},
                           {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R16.64], R26", red},
                           {"@P0 ATOM.E.ADD.STRONG.GPU PT, R3, [R2], R9", atom},
                           {"ATOM.E.CAS.STRONG.GPU PT, R7, [R6], R14, R15", atom},
                           {"ATOMG.E.ADD.STRONG.SYS PT, R2, [R2+0x24], R5", atom},
                           {"ATOMG.E.CAS.STRONG.GPU PT, R0, [R6], R12, R13", atom},
                           {"ATOMG.E.ADD.F32 PT, R27, desc[UR4][R16.64], R27", atom},
                           {"ATOMS.ADD RZ, [R11], R0", atoms},
                           {"ATOMS.CAS RZ, [R0], R14, R15", atoms},
                           {"ATOMS.POPC.INC.32 RZ, [UR7]", atoms},
                           {"VOTE.ANY R4, PT, PT", vote},
                           {"VOTEU.ANY UR4, UPT, PT", voteu},
                           {"REDUX.SUM UR5, R5", redux},
                           {"POPC R7, R0", popc},
                           {"POPC R5, UR4", popc},
                           {"UPOPC UR4, UR4", upopc},
                           {"BAR.SYNC 0x0", bar_sync},
                           {"BAR.SYNC.DEFER_BLOCKING R7, R7", bar_sync},
                           {"BAR.RED.OR.DEFER_BLOCKING 0x0, !P0", bar_red},
                           {"BAR.RED.POPC.DEFER_BLOCKING R0, P0", bar_red},
                           {"BAR.ARV 0x3, 0x40", bar_arrive},
                           {"WARPSYNC.EXCLUSIVE R8", warpsync},
                           {"SHFL.IDX PT, R4, R0, 0x3, 0x1f", shfl},
                           {"MATCH.ANY R4, R4", match},
                           {"LDS.128 R8, [R24+UR4]", lds},
                           {"STS.128 [R19+UR4], R8", sts},
                           {"LDG.E.U16.SYS R18, [R12]", ldg},
                           {"@!P0 STG.E.STRONG.SYS desc[UR4][R2.64], R7", stg},
                           {"LD.E R3, desc[UR4][R2.64]", other},
                           {"MEMBAR.ALL.SYS", other},
                           {"BSYNC B0", other},
                           {"NOP", other}};

constexpr char kMangled[] = "_Z5naivePjj", kOther[] = "_Z5otherv";

/// A kernel that contains each sample once, in the form of cuobjdump.
std::string listing(const char* kernel) {
  std::string text = std::string("\t\tFunction : ") + kernel +
                     "\n\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n";
  for (const Sample& sample : kSamples)
    text += "        /*0a10*/                   " + std::string(sample.text) +
            " ;    /* 0x0000090203038a */\n" + std::string(70, ' ') + "/* 0x004ea800001f41ff */\n";
  return text + "\t\t..........\n\n";
}

/// The output for two kernels, one of them for two architectures, after PTX.
std::string disassembly() {
  return "\nFatbin ptx code:\n================\narch = sm_75\ncompressed\n"
         "\nFatbin elf code:\n================\narch = sm_80\n\n\tcode for "
         "sm_80\n\t.target\tsm_80\n\n" +
         listing(kMangled) + "\n\tcode for sm_120\n" + listing(kMangled) + listing(kOther);
}

TEST(Opcodes, are_classed_as_the_disassembler_names_them) {
  for (const Sample& sample : kSamples) EXPECT_EQ(class_of(sample.text), sample.op) << sample.text;
  EXPECT_EQ(class_of("LDGSTS.E [R1], [R2.64]"), other);  // must not count as LDG
  EXPECT_EQ(class_of("EXIT;"), other);
  for (const char* none : {"", "@P0", "@", ".", "BAR", "BAR."})
    EXPECT_EQ(class_of(none), other) << none;
}

TEST(Opcodes, have_names_of_their_own) {
  EXPECT_EQ(name_of(red), "RED");
  EXPECT_EQ(name_of(bar_red), "BAR.RED");
  EXPECT_EQ(name_of(other), "other");
}

TEST(MachineCode, is_counted_for_each_kernel_and_architecture) {
  const std::vector<KernelCode> kernels = kernels_in(disassembly());
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].arch, 80u);
  EXPECT_EQ(kernels[1].arch, 120u);
  EXPECT_EQ(kernels[2].name, "other()");
  for (const KernelCode& kernel : kernels) {
    EXPECT_EQ(kernel.instructions, std::size(kSamples));
    EXPECT_EQ(kernel.count(bar_sync), 2u);
    EXPECT_EQ(kernel.count({red, atom}), 8u);
  }
  EXPECT_EQ(kernels[0].name, "naive(unsigned int*, unsigned int)");
  EXPECT_TRUE(kernels[0].is_called("naive("));
  EXPECT_FALSE(kernels[0].is_called("aive("));
}

TEST(MachineCode, of_a_text_that_is_cut_off_is_what_was_there) {
  const std::string whole = disassembly();
  std::size_t before = 0;
  for (std::size_t size = 0; size <= whole.size(); size += 101) {
    std::size_t now = 0;
    for (const KernelCode& kernel : kernels_in(whole.substr(0, size))) now += kernel.instructions;
    EXPECT_GE(now, before) << size;
    before = now;
  }
}

/// A program that stands in for cuobjdump.
std::string tool(const TempDir& dir, const std::string& script) {
  const std::string path = dir.write("cuobjdump", "#!/bin/sh\n" + script);
  ::chmod(path.c_str(), 0700);
  return path;
}

TEST(MachineCode, of_a_file_is_read_from_the_cubins_that_have_the_wanted_kernels) {
  const TempDir dir;
  dir.write("1.symbols", std::string("FUNC  GLOBAL  DEFAULT  ENTRY  ") + kMangled + "\n");
  dir.write("1.sass", "code for sm_90\n" + listing(kMangled) + listing(kOther));
  dir.write("2.symbols", std::string("FUNC  GLOBAL  DEFAULT  ENTRY  ") + kOther + "\n");
  const std::string cuobjdump = tool(dir, "if [ $1 = -xelf ]; then touch 1 2; else cat '" +
                                              (dir / "") + "'\"${2##*/}.${1#-}\"; fi\n");
  const std::vector<KernelCode> kernels = read_machine_code("a file", {"naive("}, cuobjdump);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].arch, 90u);
  EXPECT_EQ(kernels[0].name, "naive(unsigned int*, unsigned int)");
  EXPECT_TRUE(read_machine_code("a file", {"aive("}, cuobjdump).empty());
}

TEST(MachineCode, that_the_disassembler_refuses_is_an_error_that_says_why) {
  const TempDir dir;
  const std::string cuobjdump = tool(dir, "echo 'cuobjdump fatal: no nvdisasm' >&2; exit 1\n");
  const std::string message =
      message_of<InputError>([&] { read_machine_code("a file", {"naive("}, cuobjdump); });
  EXPECT_TRUE(contains(message, "no nvdisasm")) << message;
}

}  // namespace machine_code_test
}  // namespace ballotcast::detail
