// The machine code reader classifies instructions as the disassembler does, and refuses unusable
// files. The files are made here from instructions that nvdisasm has named, so neither a GPU nor
// nvcc is needed.
#include "bench/machine_code.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace machine_code_test {

/// An instruction, and its text from nvdisasm 13.5.
struct Sample {
  const char* text;
  u64 low, high;
  OpClass op;
};

using enum OpClass;
const Sample kSamples[] = {
    {"RED.E.ADD.STRONG.GPU [R4.64+0x24], R9", 0x24090400798e, 0x3e2000c10e184, red},
    {"REDG.E.ADD.STRONG.GPU desc[UR4][R2.64+0x24], R11", 0x240b0200798e, 0xfe2000c10e184, red},
    {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R16.64], R26", 0x1a100079a6, 0x7e2000c10f384, red},
    {"@P0 ATOM.E.ADD.STRONG.GPU PT, R3, [R2], R9", 0x90203038a, 0x4ea800001f41ff, atom},
    {"ATOM.E.CAS.STRONG.GPU PT, R7, [R6], R14, R15", 0xe0607738b, 0x8ee800001ee10f, atom},
    {"ATOMG.E.ADD.STRONG.SYS PT, R2, [R2+0x24], R5", 0x2405020273a8, 0x2ea400001f61ff, atom},
    {"ATOMG.E.CAS.STRONG.GPU PT, R0, [R6], R12, R13", 0xc060073a9, 0xf2800001ee10d, atom},
    {"ATOMG.E.ADD.F32 PT, R27, desc[UR4][R16.64], R27", 0x1b101b79a3, 0xea800081ef3c4, atom},
    {"ATOMS.ADD RZ, [R11], R0", 0xbff738c, 0x3e80000000000, atoms},
    {"ATOMS.CAS RZ, [R0], R14, R15", 0xe00ff738d, 0x1e8000000000f, atoms},
    {"ATOMS.POPC.INC.32 RZ, [UR7]", 0xffff7f8c, 0xfe2000d800007, atoms},
    {"VOTE.ANY R4, PT, PT", 0x47806, 0xfe200038e0100, vote},
    {"VOTEU.ANY UR4, UPT, PT", 0x47886, 0xfe400038e0100, voteu},
    {"REDUX.SUM UR5, R5", 0x50573c4, 0xea2000000c000, redux},
    {"POPC R7, R0", 0x77309, 0xe2e0000000000, popc},
    {"POPC R5, UR4", 0x400057d09, 0xeaa0008000000, popc},
    {"UPOPC UR4, UR4", 0x4000472bf, 0xfc80008000000, upopc},
    {"BAR.SYNC 0x0 (sm_75)", 0x7b1d, 0xfea0000000000, bar_sync},
    {"BAR.SYNC.DEFER_BLOCKING R7, R7", 0x70000731d, 0x3e40000010000, bar_sync},
    {"BAR.RED.OR.DEFER_BLOCKING 0x0, !P0", 0x7b1d, 0xfec0004014800, bar_red},
    {"BAR.RED.POPC.DEFER_BLOCKING R0, P0", 0x751d, 0xfec0000014000, bar_red},
    {"BAR.ARV 0x3, 0x40", 0xc1000000007b1d, 0xff00000002000, bar_arrive},
    {"WARPSYNC.EXCLUSIVE R8", 0x800007348, 0xfea0003c00000, warpsync},
    {"SHFL.IDX PT, R4, R0, 0x3, 0x1f", 0x601f0000047f89, 0xfe800000e0000, shfl},
    {"MATCH.ANY R4, R4", 0x40473a1, 0xea400000e8000, match},
    {"LDS.128 R8, [R24+UR4]", 0x418087984, 0x2a80008000c00, lds},
    {"STS.128 [R19+UR4], R8", 0x813007988, 0x4fe80008000c04, sts},
    {"LDG.E.U16.SYS R18, [R12]", 0xc127381, 0xee800001ee500, ldg},
    {"@!P0 STG.E.STRONG.SYS desc[UR4][R2.64], R7", 0x702008986, 0x1e4000c115904, stg},
    {"LD.E R3, desc[UR4][R2.64]", 0x402037980, 0x4ee2000c101900, other},
    {"MEMBAR.ALL.SYS", 0x7992, 0xfec000000b000, other},
    {"BSYNC B0", 0x7941, 0xfea0003800000, other},
    {"NOP", 0x7918, 0xfc00000000000, other}};

template <class T>
void put(std::vector<u8>& to, T value) {
  const auto* bytes = reinterpret_cast<const u8*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

struct Section {
  std::string name;
  std::vector<u8> bytes;
};

/// An ELF file with these sections.
std::vector<u8> elf_of(u16 machine, u8 abi, u32 flags, std::vector<Section> sections) {
  sections.insert(sections.begin(), Section{"", {}});
  sections.push_back({".shstrtab", {}});
  std::vector<u8> names, table, body;
  for (const Section& section : sections) {
    put(table, static_cast<u32>(names.size()));
    names.insert(names.end(), section.name.begin(), section.name.end());
    names.push_back(0);
    if (section.name == ".shstrtab") sections.back().bytes = names;
    put(table, section.name.empty() ? 0u : 1u);
    for (int i = 0; i < 2; ++i) put(table, u64{0});
    put(table, u64{64 + body.size()});
    put(table, u64{section.bytes.size()});
    for (int i = 0; i < 3; ++i) put(table, u64{0});
    body.insert(body.end(), section.bytes.begin(), section.bytes.end());
  }
  std::vector<u8> file = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, abi, 0, 0, 0, 0, 0, 0, 0};
  put(file, u16{2});
  put(file, machine);
  put(file, u32{1});
  put(file, u64{0});
  put(file, u64{0});
  put(file, u64{64 + body.size()});
  put(file, flags);
  put(file, u16{64});
  put(file, u32{0});  // no program headers
  put(file, u16{64});
  put(file, static_cast<u16>(sections.size()));
  put(file, static_cast<u16>(sections.size() - 1));
  file.resize(64);
  file.insert(file.end(), body.begin(), body.end());
  file.insert(file.end(), table.begin(), table.end());
  return file;
}

/// A kernel that contains each sample once.
std::vector<u8> all_samples() {
  std::vector<u8> code;
  for (const Sample& sample : kSamples) {
    put(code, sample.low);
    put(code, sample.high);
  }
  return code;
}

constexpr char kMangled[] = ".text._Z5naivePjj";

std::vector<u8> cubin_of(u32 arch) {
  return elf_of(ElfFile::kCuda, 8, arch << 8, {{".nv.info", {1, 2, 3}}, {kMangled, all_samples()}});
}

std::vector<u8> fatbin_entry(u16 kind, u32 arch, u64 flags, std::vector<u8> bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  std::vector<u8> entry;
  put(entry, kind);
  put(entry, u16{0x101});
  put(entry, u32{64});
  put(entry, u64{bytes.size()});
  entry.resize(28);
  put(entry, arch);
  entry.resize(40);
  put(entry, flags);
  entry.resize(64);
  entry.insert(entry.end(), bytes.begin(), bytes.end());
  return entry;
}

std::vector<u8> fatbin_of(const std::vector<std::vector<u8>>& entries) {
  std::vector<u8> all, fatbin;
  for (const auto& entry : entries) all.insert(all.end(), entry.begin(), entry.end());
  put(fatbin, 0xba55ed50u);
  put(fatbin, u16{1});
  put(fatbin, u16{16});
  put(fatbin, u64{all.size()});
  fatbin.insert(fatbin.end(), all.begin(), all.end());
  return fatbin;
}

/// A program with two fatbins: one with PTX and code for two architectures, one with compressed
/// code.
std::vector<u8> program() {
  std::vector<u8> section = fatbin_of({fatbin_entry(1, 75, 0x11, {'p', 't', 'x'}),
                                       fatbin_entry(2, 80, 0x11, cubin_of(80)),
                                       fatbin_entry(2, 120, 0x11, cubin_of(120))});
  section.resize(section.size() + 8);  // padding, as a linker may leave between objects
  const auto second = fatbin_of({fatbin_entry(2, 90, 0x8011, {0x28, 0xb5, 0x2f, 0xfd})});
  section.insert(section.end(), second.begin(), second.end());
  return elf_of(62, 0, 0, {{".text", {0x90}}, {".nv_fatbin", section}});
}

TEST(Opcodes, are_classed_as_the_disassembler_names_them) {
  for (const Sample& sample : kSamples)
    EXPECT_EQ(class_of(sample.low, sample.high), sample.op) << sample.text;
}

TEST(Opcodes, have_names_of_their_own) {
  EXPECT_EQ(name_of(red), "RED");
  EXPECT_EQ(name_of(bar_red), "BAR.RED");
  EXPECT_EQ(name_of(other), "other");
}

TEST(MachineCode, counts_the_instructions_of_a_cubin) {
  for (const auto& [abi, flags] : {std::pair{u8{8}, 0x06005a04u}, std::pair{u8{7}, 0x005a055au}}) {
    const auto cubin = elf_of(ElfFile::kCuda, abi, flags, {{kMangled, all_samples()}});
    const MachineCode code = decode_machine_code(cubin, "a.cubin");
    ASSERT_EQ(code.kernels.size(), 1u);
    const KernelCode& kernel = code.kernels[0];
    EXPECT_EQ(kernel.arch, 90u);
    EXPECT_EQ(kernel.name, "naive(unsigned int*, unsigned int)");
    EXPECT_EQ(kernel.instructions, std::size(kSamples));
    EXPECT_EQ(kernel.count(bar_sync), 2u);
    EXPECT_EQ(kernel.count({red, atom}), 8u);
    EXPECT_TRUE(code.unread.empty());
  }
}

TEST(MachineCode, finds_all_architectures_of_a_program_and_names_what_is_compressed) {
  const TempDir dir;
  const auto bytes = program();
  const std::string path = dir.write("program", std::string(bytes.begin(), bytes.end()));
  const MachineCode code = read_machine_code(path);
  ASSERT_EQ(code.kernels.size(), 2u);
  EXPECT_EQ(code.kernels[0].arch, 80u);
  EXPECT_EQ(code.kernels[1].arch, 120u);
  EXPECT_EQ(code.named("naive(").size(), 2u);
  EXPECT_TRUE(code.named("aive(").empty());
  ASSERT_EQ(code.unread.size(), 1u);
  EXPECT_EQ(code.unread[0].arch, 90u);
  EXPECT_TRUE(contains(code.unread[0].why, "compressed"));
}

TEST(MachineCode, that_is_compressed_is_read_by_what_decompresses_it) {
  const auto decompress = [](Bytes compressed) {
    EXPECT_EQ(compressed.size(), 8u);  // of the sample: four bytes, padded
    return cubin_of(90);
  };
  const MachineCode code = decode_machine_code(program(), "a program", decompress);
  ASSERT_EQ(code.kernels.size(), 3u);
  EXPECT_EQ(code.kernels[2].arch, 90u);
  EXPECT_TRUE(code.unread.empty());
}

TEST(MachineCode, of_an_object_that_is_still_to_be_linked_is_found) {
  const auto section = fatbin_of({fatbin_entry(2, 90, 0x11, cubin_of(90))});
  const auto object = elf_of(62, 0, 0, {{"__nv_relfatbin", section}});
  EXPECT_EQ(decode_machine_code(object, "a.o").kernels.size(), 1u);
}

TEST(MachineCode, that_is_too_old_is_named_and_not_read) {
  const auto cubin = elf_of(ElfFile::kCuda, 7, 0x003d053d, {{kMangled, all_samples()}});
  const MachineCode code = decode_machine_code(cubin, "old.cubin");
  EXPECT_TRUE(code.kernels.empty());
  ASSERT_EQ(code.unread.size(), 1u);
  EXPECT_EQ(code.unread[0].arch, 61u);
}

TEST(MachineCode, is_none_in_a_program_without) {
  const MachineCode code = decode_machine_code(elf_of(62, 0, 0, {{".text", {0x90}}}), "plain");
  EXPECT_TRUE(code.kernels.empty() && code.unread.empty());
}

TEST(MachineCode, of_files_that_are_no_good_is_refused_by_name) {
  const auto refused = [](std::vector<u8> bytes, const std::string& why) {
    const std::string message =
        message_of<InputError>([&] { decode_machine_code(bytes, "the/file"); });
    EXPECT_TRUE(contains(message, "the/file: ") && contains(message, why)) << message;
  };
  refused({}, "not an ELF file");
  refused({'#', '!', '/', 'b', 'i', 'n'}, "not an ELF file");
  auto small = cubin_of(90);
  small[4] = 1;
  refused(small, "64-bit");
  refused(elf_of(62, 0, 0, {{".nv_fatbin", std::vector<u8>(64, 7)}}), "not a fatbin");
  const auto not_for_a_gpu = fatbin_of({fatbin_entry(2, 90, 0x11, elf_of(62, 0, 0, {}))});
  refused(elf_of(62, 0, 0, {{".nv_fatbin", not_for_a_gpu}}), "not for an NVIDIA GPU");
  auto longer = fatbin_of({fatbin_entry(2, 90, 0x11, cubin_of(90))});
  longer[8] = static_cast<u8>(longer[8] + 64);
  refused(elf_of(62, 0, 0, {{".nv_fatbin", longer}}), "lies outside");
  const std::string message = message_of<InputError>([] { read_machine_code("/no/such/file"); });
  EXPECT_TRUE(contains(message, "/no/such/file")) << message;
}

/// Decodes bytes that may be invalid. Either it succeeds, or InputError names the file.
void read_or_refuse(const std::vector<u8>& bytes) {
  try {
    decode_machine_code(bytes, "some file");
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "some file: ")) << error.what();
  }
}

TEST(MachineCode, cut_off_anywhere_is_refused_or_read) {
  const auto whole = program();
  for (std::size_t size = 0; size < whole.size(); size += size < 80 ? 1 : 7) {
    const std::vector<u8> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    // The section table comes last in this file, so every shorter file is incomplete.
    EXPECT_THROW(decode_machine_code(cut, "some file"), InputError) << size;
    read_or_refuse(cut);
  }
}

TEST(MachineCode, damaged_anywhere_is_refused_or_read) {
  const auto whole = program();
  std::mt19937 random(1);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const u8 value : {u8{0}, u8{0xff}, static_cast<u8>(random())}) {
      auto damaged = whole;
      damaged[at] = value;
      read_or_refuse(damaged);
    }
  for (int i = 0; i < 3000; ++i) {
    auto damaged = whole;
    for (int k = 0; k < 8; ++k) damaged[random() % damaged.size()] = static_cast<u8>(random());
    read_or_refuse(damaged);
  }
}

}  // namespace machine_code_test
}  // namespace ballotcast::detail
