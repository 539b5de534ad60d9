// make_scene: writes the generated scenes. The same command gives the same bytes on every machine.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators.hpp"

namespace ballotcast::detail {
namespace {

constexpr u64 kFewest = 100;
constexpr u64 kMost = 100000000;

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string kind_names() {
  std::string names;
  for (const GeneratorRow& row : kGenerators)
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

std::string help_text() {
  std::string text =
      "usage: make_scene KIND -o FILE.obj [--triangles N] [--seed S]\n"
      "Writes a generated scene to FILE.obj and its materials to FILE.mtl.\n\nKIND:\n";
  for (const GeneratorRow& row : kGenerators) {
    std::string name = row.name;
    name.resize(10, ' ');
    text += "  " + name + row.description + " (default " + std::to_string(row.default_triangles) +
            " triangles)\n";
  }
  return text +
         "\n  -o FILE.obj      where to write\n"
         "  --triangles N    how many triangles, as nearly as the shape allows\n"
         "  --seed S         another scene of the same kind (default 1)\n"
         "  --help           this text\n";
}

u64 parse_count(const std::string& option, std::string_view text, u64 low, u64 high) {
  u64 value = 0;
  bool good = !text.empty() && text.size() <= 12;
  for (const char c : text) {
    good = good && c >= '0' && c <= '9';
    value = value * 10 + static_cast<u64>(c - '0');
  }
  if (!good || value < low || value > high) {
    throw UsageError(option + " needs an integer from " + std::to_string(low) + " to " +
                     std::to_string(high) + ", not '" + std::string(text) + "'");
  }
  return value;
}

struct Options {
  const GeneratorRow* kind = nullptr;
  std::string output;
  SceneRequest request{0, 1};
};

const GeneratorRow* find_kind(std::string_view name) {
  for (const GeneratorRow& row : kGenerators) {
    if (name == row.name) return &row;
  }
  throw UsageError("unknown kind '" + std::string(name) + "'; known: " + kind_names());
}

Options parse(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw UsageError(word + " needs a value");
      return words[++i];
    };
    if (word == "-o") {
      options.output = value();
    } else if (word == "--triangles") {
      options.request.triangles = parse_count(word, value(), kFewest, kMost);
    } else if (word == "--seed") {
      options.request.seed = static_cast<u32>(parse_count(word, value(), 0, 0xffffffffu));
    } else if (word.starts_with("-")) {
      throw UsageError("unknown option '" + word + "'; see make_scene --help");
    } else if (options.kind != nullptr) {
      throw UsageError("only one kind is allowed: '" + word + "' follows '" + options.kind->name +
                       "'");
    } else {
      options.kind = find_kind(word);
    }
  }
  if (options.kind == nullptr) throw UsageError("no kind given; known: " + kind_names());
  if (options.output.empty()) throw UsageError("no output given: -o FILE.obj");
  if (options.request.triangles == 0) options.request.triangles = options.kind->default_triangles;
  return options;
}

// The command that makes this scene again; it is written into the files. It has the file name
// without the folder, so that the bytes do not depend on where the files are written.
std::string command_of(const Options& options) {
  const std::size_t slash = options.output.rfind('/');
  const std::string name =
      slash == std::string::npos ? options.output : options.output.substr(slash + 1);
  return std::string("make_scene ") + options.kind->name + " -o " + name + " --triangles " +
         std::to_string(options.request.triangles) + " --seed " +
         std::to_string(options.request.seed);
}

void make(const Options& options) {
  ObjWriter out(options.output, command_of(options));
  options.kind->make(out, options.request);
  out.commit();
  std::fprintf(stderr, "%s: %llu triangles\n", options.output.c_str(),
               static_cast<unsigned long long>(out.triangles()));
}

int run(const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), "--help") != words.end()) {
    std::fputs(help_text().c_str(), stdout);
    return 0;
  }
  try {
    make(parse(words));
    return 0;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "make_scene: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_scene: %s\n", error.what());
    return 3;
  }
}

}  // namespace
}  // namespace ballotcast::detail

int main(int argc, char** argv) {
  return ballotcast::detail::run(std::vector<std::string>(argv + 1, argv + argc));
}
