#include "bench/machine_code.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "backends/benchmarks/runners.hpp"
#include "kernels/strategies/laboratory/laboratory_strategies.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/strategies.hpp"
#include "support/child_program.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kNames[kOpClasses] = {
    "RED",   "ATOM",     "ATOMS",   "VOTE",    "VOTEU",        "REDUX", "POPC",
    "UPOPC", "BAR.SYNC", "BAR.RED", "BAR.ARV", "UCGABAR_WAIT", "REDAS", "WARPSYNC",
    "SHFL",  "MATCH",    "LDS",     "STS",     "LDG",          "STG",   "other"};

/// Pairs of an instruction's name on some architectures and the name of its class.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"REDG", "RED"}, {"ATOMG", "ATOM"}, {"CREDUX", "REDUX"}};

// The time limit of a disassembly in seconds; it usually takes a few seconds.
constexpr unsigned kLongest_s = 600;

std::string_view without_indent(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

/// The rest of `line` after `mark` if the line, without leading spaces, begins with `mark`;
/// otherwise nothing.
std::optional<std::string_view> behind(std::string_view line, std::string_view mark) {
  line = without_indent(line);
  if (!line.starts_with(mark)) return {};
  return line.substr(mark.size());
}

template <class Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at));
    at = end + 1;
  }
}

/// The output of `cuobjdump OPTION FILE`.
std::string printed_by(const std::string& cuobjdump, const char* option, const std::string& path) {
  const TemporaryFolder folder;
  const std::string text = folder.file("stdout");
  ChildProgram({cuobjdump, option, path}, ".", ChildProgram::Input::nothing, text)
      .finish(kLongest_s);
  const std::vector<u8> bytes = read_file(text);
  return {bytes.begin(), bytes.end()};
}

/// True if the function name `name`, without its return type, begins with one of `beginnings`.
bool is_among(std::string_view name, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
    return name.starts_with(beginning) || name.starts_with("void " + beginning);
  });
}

/// True if the output of `cuobjdump -symbols` contains a function whose name begins with one of
/// `beginnings`.
bool has_kernel(std::string_view symbols, const std::vector<std::string>& beginnings) {
  bool found = false;
  for_each_line(symbols, [&](std::string_view line) {
    found = found || is_among(demangled(std::string(line.substr(line.rfind(' ') + 1))), beginnings);
  });
  return found;
}

}  // namespace

OpClass class_of(std::string_view instruction) {
  if (instruction.starts_with('@'))  // the instruction begins with a predicate
    instruction =
        without_indent(instruction.substr(std::min(instruction.find(' '), instruction.size())));
  std::string_view word = instruction.substr(0, instruction.find_first_of(" ;"));
  const std::size_t first = word.find('.');
  word = word.substr(0, word.starts_with("BAR.") ? word.find('.', first + 1) : first);
  for (const auto& [other, name] : kOtherNames)
    if (word == other) word = name;
  const auto* const row = std::find(std::begin(kNames), std::end(kNames) - 1, word);
  return static_cast<OpClass>(row - std::begin(kNames));
}

std::string_view name_of(OpClass op) { return kNames[static_cast<std::size_t>(op)]; }

u32 KernelCode::count(std::initializer_list<OpClass> ops) const {
  u32 sum = 0;
  for (const OpClass op : ops) sum += count(op);
  return sum;
}

bool KernelCode::is_called(const std::string& beginning) const {
  return is_among(name, {beginning});
}

std::vector<KernelCode> kernels_in(std::string_view disassembly) {
  std::vector<KernelCode> kernels;
  u32 arch = 0;
  for_each_line(disassembly, [&](std::string_view line) {
    if (const auto number = behind(line, "code for sm_")) {
      std::from_chars(number->data(), number->data() + number->size(), arch);
    } else if (const auto name = behind(line, "Function : ")) {
      kernels.push_back({arch, demangled(std::string(*name))});
    } else if (const auto address = behind(line, "/*"); address && !kernels.empty()) {
      // A line has an address and an instruction: "/*0010*/  VOTE.ANY R4, PT, PT ;  /* bits */".
      // The second line of a long instruction has only bits.
      const std::size_t end = address->find("*/");
      if (end == address->npos) return;
      const std::string_view text = without_indent(address->substr(end + 2));
      if (text.empty()) return;
      ++kernels.back().instructions;
      ++kernels.back().counts[static_cast<std::size_t>(class_of(text))];
    }
  });
  return kernels;
}

std::string disassembler() {
  if (is_installed("cuobjdump")) return "cuobjdump";
  const char* const home = std::getenv("CUDA_HOME");
  for (const std::string& folder :
       {std::string(home ? home : ""), std::string("/usr/local/cuda")}) {
    const std::string file = folder + "/bin/cuobjdump";
    std::error_code failure;
    if (!folder.empty() && std::filesystem::exists(file, failure)) return file;
  }
  return "";
}

std::vector<KernelCode> read_machine_code(const std::string& path,
                                          const std::vector<std::string>& beginnings,
                                          const std::string& cuobjdump) {
  // A program has a cubin for each source and architecture. Only those with wanted kernels are
  // disassembled, because all would take a minute.
  const TemporaryFolder folder;
  ChildProgram({cuobjdump, "-xelf", "all", std::filesystem::absolute(path)}, folder.file(""))
      .finish(kLongest_s);
  std::set<std::string> cubins;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
    cubins.insert(entry.path());
  std::vector<KernelCode> kernels;
  for (const std::string& cubin : cubins)
    if (has_kernel(printed_by(cuobjdump, "-symbols", cubin), beginnings))
      for (KernelCode& kernel : kernels_in(printed_by(cuobjdump, "-sass", cubin)))
        if (is_among(kernel.name, beginnings)) kernels.push_back(std::move(kernel));
  return kernels;
}

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : mangled;
}

namespace {

/// The path of the program's file, or of the shared library that contains the program's code
/// (python/CMakeLists.txt).
std::string own_file() {
  Dl_info info{};
  link_map* own = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(&own_file), &info, reinterpret_cast<void**>(&own),
                RTLD_DL_LINKMAP) != 0 &&
      own && own->l_name[0] != '\0')
    return own->l_name;
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// Adds a row for each architecture with the machine code of the kernel run_kernel<Probe, ...>.
template <class Probe>
void add(std::vector<StrategyCode>& rows, const std::vector<KernelCode>& kernels,
         const StrategyInfo& strategy, std::string_view call) {
  const auto first = rows.size();
  for (const KernelCode& kernel : kernels)
    if (kernel.arch >= strategy.capability && kernel.is_called(name_of_kernel<Probe>()))
      rows.push_back({strategy.name, call, kernel, atomics_per(kernel)});
  std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
            [](const StrategyCode& a, const StrategyCode& b) { return a.code.arch < b.code.arch; });
}

template <class Strategy>
void add_calls(std::vector<StrategyCode>& rows, const std::vector<KernelCode>& kernels) {
  if constexpr (Strategy::info.reports())
    add<ReportProbe<Strategy>>(rows, kernels, Strategy::info, "report");
  if constexpr (Strategy::info.reserves())
    add<ReserveProbe<Strategy>>(rows, kernels, Strategy::info, "reserve");
}

/// The rows of all strategies except broken ones.
std::vector<StrategyCode> rows_in(const std::vector<KernelCode>& kernels) {
  std::vector<StrategyCode> rows;
  const auto add_row = [&](auto tag) { add_calls<typename decltype(tag)::type>(rows, kernels); };
  each_row(Strategies{}, add_row);
  each_row(LaboratoryStrategies{}, add_row);
  return rows;
}

}  // namespace

StrategyCodes strategy_codes(const std::string& cuobjdump) {
  if (probe_kernels() == 0)
    return {{}, "there is no GPU code in this program: it was built without the CUDA Toolkit"};
  if (cuobjdump.empty())
    return {{},
            "GPU code is read by the program cuobjdump, which was not found; it comes with the "
            "CUDA Toolkit (PyPI: nvidia-cuda-cuobjdump, nvidia-cuda-nvdisasm)"};
  const std::string file = own_file(),
                    start = "ballotcast::detail::run_kernel<ballotcast::detail::";
  StrategyCodes codes{rows_in(read_machine_code(
                          file, {start + "ReportProbe<", start + "ReserveProbe<"}, cuobjdump)),
                      ""};
  if (codes.rows.empty()) codes.why_none = "the strategies' GPU code is not in " + file;
  return codes;
}

AtomicsPer atomics_per(const KernelCode& kernel) {
  using enum OpClass;
  if (kernel.count({red, atom}) == 0) return AtomicsPer::none;
  if (kernel.count(bar_cluster) != 0) return AtomicsPer::cluster;
  if (kernel.count({bar_sync, bar_red}) != 0) return AtomicsPer::block;
  const bool together = kernel.count({vote, voteu, redux, popc, upopc, shfl, match}) != 0;
  return together ? AtomicsPer::warp : AtomicsPer::lane;
}

std::string_view in_words(AtomicsPer per) {
  switch (per) {
    case AtomicsPer::none:
      return "no atomic";
    case AtomicsPer::lane:
      return "one atomic per lane";
    case AtomicsPer::warp:
      return "one atomic per warp";
    case AtomicsPer::block:
      return "one atomic per block";
    case AtomicsPer::cluster:
      return "one atomic per cluster";
    case AtomicsPer::varies:
      return "depends on the compiler";
  }
  return "";
}

namespace {

/// A column of the table: the number of instructions of some classes.
struct CodeColumn {
  const char* title;
  std::vector<OpClass> classes;
};

const std::vector<CodeColumn>& code_columns() {
  using enum OpClass;
  static const std::vector<CodeColumn> columns = {
      {"RED", {red}},     {"ATOM", {atom}},        {"VOTE", {vote, voteu}},
      {"REDUX", {redux}}, {"POPC", {popc, upopc}}, {"BAR", {bar_sync, bar_red}},
      {"SHFL", {shfl}}};
  return columns;
}

constexpr std::size_t kNameWidth = 12, kCallWidth = 9, kArchWidth = 8;
constexpr std::string_view kVerdictHead = "one atomic per";  // heading of the last column

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string code_head() {
  std::string line = "  " + padded("strategy", kNameWidth) + padded("call", kCallWidth) +
                     padded("for", kArchWidth);
  for (const CodeColumn& column : code_columns()) line += std::string(column.title) + " ";
  return line + " " + std::string(kVerdictHead) + "\n";
}

std::string line_of(const StrategyCode& row) {
  std::string line = "  " + padded(std::string(row.strategy), kNameWidth) +
                     padded(std::string(row.call), kCallWidth) +
                     padded("sm_" + std::to_string(row.code.arch), kArchWidth);
  for (const CodeColumn& column : code_columns()) {
    u32 count = 0;
    for (const OpClass op : column.classes) count += row.code.count(op);
    line +=
        right_aligned(count != 0 ? std::to_string(count) : ".", std::string(column.title).size()) +
        " ";
  }
  std::string_view verdict = in_words(row.atomics_per);
  if (verdict.starts_with(kVerdictHead)) verdict.remove_prefix(kVerdictHead.size() + 1);
  return line + " " + std::string(verdict) + "\n";
}

const char* const kCodeLegend =
    "\n"
    "Instructions in the compiled code of each call, alone in a kernel: RED and\n"
    "ATOM are atomics on global memory; VOTE, REDUX, POPC and SHFL are what the\n"
    "lanes of a warp do together, BAR the barriers of a block. A dot means none.\n"
    "ptxas adds a vote before an atomic if it knows that all lanes use the same\n"
    "address.\n";

}  // namespace

std::string strategy_table(const StrategyCodes& codes) {
  const std::string title = "Atomic strategies (--atomics) in machine code";
  if (codes.rows.empty()) return wrapped(title + ": " + codes.why_none, 0);
  std::string text = title + ":\n" + code_head();
  for (const StrategyCode& row : codes.rows) text += line_of(row);
  return text + kCodeLegend;
}

Json strategy_json(const StrategyCodes& codes) {
  Json rows = Json::array();
  for (const StrategyCode& row : codes.rows) {
    Json counts;
    for (std::size_t i = 0; i < kOpClasses; ++i)
      counts[std::string(name_of(OpClass{static_cast<u8>(i)}))] = row.code.counts[i];
    rows.push_back({{"strategy", row.strategy},
                    {"call", row.call},
                    {"arch", row.code.arch},
                    {"instructions", row.code.instructions},
                    {"counts", counts},
                    {"verdict", in_words(row.atomics_per)}});
  }
  return {{"rows", rows}, {"why_none", codes.why_none.empty() ? Json() : Json(codes.why_none)}};
}

}  // namespace ballotcast::detail
