#include "bench/primitives.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "bench/plan.hpp"
#include "bench/results.hpp"
#include "kernels/primitives/branch_groups.hpp"
#include "kernels/primitives/reductions/reductions.hpp"
#include "kernels/primitives/shuffles.hpp"

namespace ballotcast::detail {

namespace {

std::string hex(u32 value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

std::string text(std::string_view view) { return std::string(view); }

/// `lanes` rounded up to a multiple of the block size. A block size of 0 is rejected later.
u32 round_up(u32 lanes, u32 block_size) {
  if (block_size == 0) return lanes;
  return (lanes + block_size - 1) / block_size * block_size;
}

/// Adds the ratio of the times of `of` and `base` to the findings of `of`. Does nothing if one of
/// them was not timed.
void add_ratio(Row& of, const Row& base, const char* key) {
  if (of.timing && base.timing && base.timing->median_ms > 0.0)
    of.found.emplace_back(key, of.timing->median_ms / base.timing->median_ms);
}

class PrimitivesBench {
 public:
  PrimitivesBench(const PrimitivesRequest& request, PrimitiveLab& lab)
      : request_(request), lab_(lab) {
    std::vector<std::string>& notes = results_.notes;
    request_.experiments = each_once("experiment", request.experiments, notes);
    request_.block_sizes = each_once("block size", request.block_sizes, notes);
    request_.widths = each_once("width", request.widths, notes);
    request_.sizes = each_once("values", request.sizes, notes);
    request_.group_sizes = each_once("group size", request.group_sizes, notes);
  }

  void votes() {
    results_.experiments.push_back(
        {"votes", "Votes under divergence",
         "The lanes of a warp diverge into branches and vote there. sync: a _sync vote that names "
         "all 32 lanes waits for the other branches, and each lane sees the whole warp. rejoined: "
         "the same, but the vote comes after the branches have reconverged. active: votes as on "
         "Fermi, where only the lanes active in the branch take part; inactive lanes count as 0 in "
         "a ballot and are ignored by any and all. lane_N_saw is the result of the last round in "
         "the first warp.",
         "votes of a warp"});
    for (const u32 block_size : request_.block_sizes)
      for (const PrimitiveInfo& vote : rows_of(VoteKinds{}))
        for (const BranchPattern& pattern : kBranchPatterns)
          for (const PrimitiveInfo& form : rows_of(VoteForms{})) {
            const u32 lanes = round_up(request_.lanes, block_size);
            const VoteCase c{form.name, vote.name,  pattern.branches,
                             lanes,     block_size, request_.vote_rounds};
            Row& row = start("votes", {{"vote", text(vote.name)},
                                       {"form", text(form.name)},
                                       {"branches", text(pattern.name)},
                                       {"block_size", u64{block_size}},
                                       {"lanes", u64{lanes}},
                                       {"rounds", u64{c.rounds}}});
            row.items = u64{lanes / kWarpSize} * c.rounds;
            const std::vector<u32> out = check(row, c, [&] { return define_votes(c); });
            for (const u32 lane : {0u, 13u, 31u})
              if (out.size() > lane)
                row.found.emplace_back("lane_" + std::to_string(lane) + "_saw", hex(out[lane]));
            time(row, c);
          }
  }

  void shuffles() {
    results_.experiments.push_back(
        {"shuffles", "Shuffles, native and through shared memory",
         "Each lane of a warp reads another lane's value: with the shuffle instruction, or through "
         "shared memory with a barrier of the warp, or of the block, after the store and after the "
         "load. The rounds use all arguments from 0 to 31.",
         "shuffles of a warp"});
    for (const u32 block_size : request_.block_sizes)
      for (const PrimitiveInfo& kind : rows_of(ShuffleKinds{}))
        for (const u32 width : request_.widths) {
          std::vector<u32> expected;
          Row native;
          for (const PrimitiveInfo& form : rows_of(ShuffleForms{})) {
            const u32 lanes = round_up(request_.lanes, block_size);
            const ShuffleCase c{form.name, kind.name,  width,
                                lanes,     block_size, request_.shuffle_rounds};
            Row& row = start("shuffles", {{"shuffle", text(kind.name)},
                                          {"form", text(form.name)},
                                          {"width", u64{width}},
                                          {"block_size", u64{block_size}},
                                          {"lanes", u64{lanes}},
                                          {"rounds", u64{c.rounds}}});
            row.items = u64{lanes / kWarpSize} * c.rounds;
            check(row, c, [&]() -> const std::vector<u32>& {
              if (expected.empty()) expected = define_shuffles(c);
              return expected;
            });
            time(row, c);
            if (form.name == NativeShuffle::info.name) native = row;
            add_ratio(row, native, "time_over_native");
          }
        }
  }

  void reductions() {
    results_.experiments.push_back(
        {"reductions", "Sums of values in device memory",
         "Sums modulo 2^32, compared with the memory traffic of a copy on the device. The same "
         "kernel sums the sums of blocks until one is left. bytes: what a sum must read; for a "
         "copy, what it reads and writes.",
         "values"});
    for (const u32 size : request_.sizes) require_valid(ReductionCase{"copy", size, kWarpSize});
    if (request_.sizes.empty()) return;
    std::vector<u32> values(*std::max_element(request_.sizes.begin(), request_.sizes.end()));
    for (u32 i = 0; i < values.size(); ++i) values[i] = hash_pair(i, request_.seed);
    lab_.set_values(values);

    std::vector<PrimitiveInfo> names = rows_of(Reductions{});
    if (request_.include_broken)
      for (const PrimitiveInfo& broken : rows_of(BrokenReductions{})) names.push_back(broken);
    for (const u32 size : request_.sizes) {
      const std::size_t first = results_.rows.size();
      const std::vector<u32> sum = define_sum(values, size);
      for (const u32 block_size : request_.block_sizes)
        for (const PrimitiveInfo& name : names)
          reduce({name.name, size, block_size}, u64{block_size}, sum);
      const std::vector<u32> copy(values.begin(), values.begin() + size);
      for (const PrimitiveInfo& name : kMachineReductions)
        reduce({name.name, size, kWarpSize}, std::string("-"), name.name == "copy" ? copy : sum);
      add_shares_of_copy(first);
    }
  }

  void groups() {
    results_.experiments.push_back(
        {"groups", "Groups of lanes that take the same branch",
         "Every lane does the same arithmetic, but each group of group_size neighbours does it in "
         "its own branch. A warp executes its branches one after another, so doubling the group "
         "size halves the time, up to the warp size.",
         "steps of a lane"});
    std::vector<u32> expected;
    Row warp;
    std::vector<std::size_t> own_rows;
    for (const u32 group_size : request_.group_sizes) {
      const u32 lanes = round_up(request_.lanes, kLargestBlock);
      const GroupCase c{group_size, lanes, kLargestBlock, request_.group_rounds};
      Row& row = start("groups", {{"group_size", u64{group_size}},
                                  {"block_size", u64{kLargestBlock}},
                                  {"lanes", u64{lanes}},
                                  {"rounds", u64{c.rounds}}});
      own_rows.push_back(results_.rows.size() - 1);
      row.items = u64{lanes} * c.rounds;
      const std::vector<u32> out = check(row, c, [&]() -> const std::vector<u32>& {
        // Defined only once, because the values of the lanes do not depend on the group size; only
        // the number of turns does.
        if (expected.empty()) expected = define_groups(c);
        std::fill(expected.begin() + lanes, expected.end(), std::max(1u, kWarpSize / group_size));
        return expected;
      });
      if (out.size() > lanes) row.found.emplace_back("turns_a_warp", u64{out[lanes]});
      time(row, c);
      if (group_size == kWarpSize) warp = row;
    }
    for (const std::size_t i : own_rows) add_ratio(results_.rows[i], warp, "time_over_warp_size");
  }

  Results run() {
    results_.title = "Primitives: votes, shuffles, reductions, group sizes";
    results_.facts.emplace_back("device", lab_.describe());
    if (!lab_.has_times())
      results_.notes.push_back("Emulation has no meaningful times, so none are shown.");
    using Method = void (PrimitivesBench::*)();
    const std::vector<std::pair<std::string_view, Method>> table = {
        {"votes", &PrimitivesBench::votes},
        {"shuffles", &PrimitivesBench::shuffles},
        {"reductions", &PrimitivesBench::reductions},
        {"groups", &PrimitivesBench::groups}};
    for (const std::string& wanted : request_.experiments) {
      const auto row = std::find_if(table.begin(), table.end(),
                                    [&](const auto& entry) { return entry.first == wanted; });
      if (row == table.end()) {
        std::vector<std::string_view> names;
        for (const auto& entry : table) names.push_back(entry.first);
        throw_unknown("experiment", wanted, names);
      }
      (this->*row->second)();
    }
    return std::move(results_);
  }

 private:
  void reduce(const ReductionCase& c, Value block_size, const std::vector<u32>& expected) {
    Row& row = start("reductions", {{"reduction", text(c.name)},
                                    {"values", u64{c.count}},
                                    {"block_size", std::move(block_size)}});
    row.items = c.count;
    row.bytes = u64{c.count} * sizeof(u32) * (c.name == "copy" ? 2u : 1u);
    check(row, c, [&]() -> const std::vector<u32>& { return expected; });
    time(row, c);
  }

  /// Adds the finding share_of_copy_bandwidth to each row from `first` on: its bytes per second,
  /// divided by those of the last row, which must be the reduction "copy".
  void add_shares_of_copy(std::size_t first) {
    const auto rate = [](const Row& row) {
      return static_cast<double>(*row.bytes) / row.timing->median_ms;
    };
    const Row& copy = results_.rows.back();
    if (!copy.timing) return;
    for (std::size_t i = first; i + 1 < results_.rows.size(); ++i)
      if (Row& row = results_.rows[i]; row.timing)
        row.found.emplace_back("share_of_copy_bandwidth", rate(row) / rate(copy));
  }

  /// Starts a new row. The reference is valid until the next row starts.
  Row& start(const char* experiment, Values axes) {
    Row& row = results_.rows.emplace_back();
    row.experiment = experiment;
    row.axes = std::move(axes);
    return row;
  }

  /// Runs the case and compares its output with that of define(), which is correct. Sets the row's
  /// verdict. Returns the output, or nothing if this machine can't run the case.
  template <class Define>
  std::vector<u32> check(Row& row, const PrimitiveCase& c, Define define) {
    require_valid(c);
    row.why = lab_.unavailable(c);
    if (!row.why.empty()) {
      row.verdict = Verdict::skipped;
      return {};
    }
    std::vector<u32> out = lab_.outputs(c);
    row.why = difference(define(), out);
    if (!row.why.empty()) row.verdict = Verdict::wrong;
    return out;
  }

  /// Times the case if its result is right and the machine is real hardware.
  void time(Row& row, const PrimitiveCase& c) {
    if (row.verdict != Verdict::right || !lab_.has_times() || request_.runs == 0) return;
    row.timing = timing_of(lab_.time_ms(c, request_.runs));
  }

  PrimitivesRequest request_;
  PrimitiveLab& lab_;
  Results results_;
};

}  // namespace

PrimitivesRequest default_primitives_request(const PrimitiveLab& lab) {
  PrimitivesRequest request;
  request.group_sizes.assign(kGroupSizes.begin(), kGroupSizes.end());
  if (lab.has_times()) {
    request.lanes = lab.lanes_at_once();
    request.sizes = {1u << 26};
    request.vote_rounds = 256;
    request.shuffle_rounds = 1024;
    request.group_rounds = 4096;
  } else {
    request.lanes = 1024;
    request.sizes = {1u << 16};
    request.vote_rounds = 8;
    request.shuffle_rounds = kWarpSize;
    request.group_rounds = 16;
  }
  return request;
}

Results bench_primitives(const PrimitivesRequest& request, PrimitiveLab& lab) {
  return PrimitivesBench(request, lab).run();
}

}  // namespace ballotcast::detail
