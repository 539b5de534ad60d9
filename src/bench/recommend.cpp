
#include <algorithm>
#include <array>

#include "ballotcast/error.hpp"
#include "bench/atomics.hpp"
#include "bench/reports/view.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct Question {
  const char* text;
  const char* experiment;
  // Strategies that answer the question; the first of those that are equally fast is recommended
  std::vector<std::string> strategies;
  std::vector<std::string> weaker;  // strategies that do less, for comparison
};

const std::vector<Question>& questions() {
  static const std::vector<Question> table = {
      {"only the number",
       "synthetic",
       {"warp-shards", "block-count", "warp-slots", "warp-ballot", "sharded", "naive"},
       {"none"}},
      {"only whether there is any", "synthetic", {"flag-store", "block-vote"}, {"none"}},
      {"slots in any order",
       "slots",
       {"block-scan", "block-vote", "warp-ballot", "naive"},
       {"warp-queues"}},
      {"slots in the order of lanes", "slots", {"later"}, {"block-scan"}},
      {"slots of 8 queues, in the order of lanes", "slots", {"bins", "bin-sort"}, {"bin-atomics"}},
      {"only the number, CPU threads",
       "threads",
       {"thread-sum", "block-sum", "thread-shards", "false-sharing", "naive"},
       {"none"}}};
  return table;
}

struct Amount {
  const char* words;
  const char* work;  // value of the axis work
};
constexpr std::array<Amount, 2> kAmounts = {{{"little", "flag"}, {"much", "fma200"}}};

/// The code with which a program uses a strategy by <ballotcast/slots.hpp>; "" if that header does
/// not have the strategy.
std::string use_of(const Question& question, const std::string& strategy) {
  static const std::vector<std::pair<std::string, std::string>> types = {
      {"warp-shards", "WarpShards"}, {"block-count", "BlockCount"}, {"warp-slots", "WarpSlots"},
      {"warp-ballot", "WarpBallot"}, {"sharded", "Sharded"},        {"naive", "Naive"},
      {"flag-store", "FlagStore"},   {"block-vote", "BlockVote"},   {"block-scan", "BlockScan"}};
  if (question.experiment == std::string("threads")) return "";
  if (strategy == "later") return "slots::note(noted, wants), then slots::Later";
  if (strategy == "bins") return "slots::note_bin<8>(noted, bin), then slots::Bins<8>";
  const bool slots = question.experiment == std::string("slots");
  const bool many = strategy == "warp-shards" || strategy == "sharded";
  for (const auto& [name, type] : types)
    if (name == strategy)
      return slots ? "slots::reserve<slots::" + type + ">(shared, counter, wants)"
                   : "slots::count<slots::" + type + ">(shared, counter, yes)" +
                         (many ? "; the words of the counter are to be added up" : "");
  return "";
}

bool is_one_of(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string axis_in_words(const Row& row, const std::string& key) {
  const Value* value = find(row.axes, key);
  return value == nullptr ? "" : in_words(*value);
}

/// The timed rows of the question's experiment with this kind of work and a strategy among `names`,
/// the fastest first.
std::vector<const Row*> timed_rows(const Results& results, const Question& question,
                                   const std::string& work, const std::vector<std::string>& names) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows)
    if (row.experiment == question.experiment && row.timing && axis_in_words(row, "work") == work &&
        is_one_of(names, axis_in_words(row, "strategy")))
      rows.push_back(&row);
  std::sort(rows.begin(), rows.end(),
            [](const Row* a, const Row* b) { return a->timing->median_ms < b->timing->median_ms; });
  return rows;
}

/// Of the rows that differ from the fastest by no more than the noise, the row whose strategy is
/// listed first.
const Row& preferred(const std::vector<const Row*>& rows, const Question& question, double noise) {
  for (const std::string& name : question.strategies)
    for (const Row* row : rows)
      if (axis_in_words(*row, "strategy") == name && !differ(*row, *rows.front(), noise))
        return *row;
  return *rows.front();
}

std::string alternative_in_words(const Alternative& other) {
  std::string words = other.strategy + " ";
  words += other.equal ? "equal" : three_digits(other.ratio) + "x";
  return words + (other.weaker ? " (does less)" : "");
}

Json json_of(const Decision& decision) {
  Json others = Json::array();
  for (const Alternative& other : decision.others)
    others.push_back({{"strategy", other.strategy},
                      {"ratio", other.ratio},
                      {"equal", other.equal},
                      {"does_less", other.weaker}});
  return {{"question", decision.question},
          {"work", decision.work},
          {"strategy", decision.strategy},
          {"ms", decision.ms},
          {"include", decision.use.empty() ? "" : "ballotcast/slots.hpp"},
          {"use", decision.use},
          {"others", others}};
}

}  // namespace

AtomicsRequest request_to_recommend(const Axes& axes, bool on_threads) {
  const std::vector<std::string> may_change = {"rays", "block_size", "lanes", "hit_probability",
                                               "threads"};
  AtomicsRequest request;
  request.axes = axes;
  for (const Axis& axis : axes)
    if (!is_one_of(may_change, axis.name) || axis.values.size() != 1)
      throw UsageError("a recommendation is for one value of each axis, and for all of work: " +
                       label_of(axis.name) + " can't be chosen so");
  for (const Amount& amount : kAmounts)
    axis_called(request.axes, "work").values.emplace_back(std::string(amount.work));
  for (const Question& question : questions()) {
    if ((question.experiment == std::string("threads")) != on_threads) continue;
    if (!is_one_of(request.experiments, question.experiment))
      request.experiments.emplace_back(question.experiment);
    for (const auto* const list : {&question.strategies, &question.weaker})
      for (const std::string& name : *list)
        if (!is_one_of(request.strategies, name)) request.strategies.push_back(name);
  }
  return request;
}

std::vector<Decision> decisions_of(const Results& results) {
  std::vector<Decision> decisions;
  for (const Question& question : questions())
    for (const Amount& amount : kAmounts) {
      const auto rows = timed_rows(results, question, amount.work, question.strategies);
      if (rows.empty()) continue;
      const Row& best = preferred(rows, question, results.noise);
      const std::string name = axis_in_words(best, "strategy");
      Decision decision{question.text,          amount.words,           name,
                        best.timing->median_ms, use_of(question, name), {}};
      const auto compare = [&](const Row& row, bool weaker) {
        decision.others.push_back({axis_in_words(row, "strategy"),
                                   row.timing->median_ms / best.timing->median_ms,
                                   !differ(row, best, results.noise), weaker});
      };
      for (const Row* row : rows)
        if (row != &best) compare(*row, false);
      for (const Row* row : timed_rows(results, question, amount.work, question.weaker))
        compare(*row, true);
      decisions.push_back(std::move(decision));
    }
  return decisions;
}

std::string decisions_table(const Results& results, const std::vector<Decision>& decisions) {
  std::string text;
  for (const auto& [key, value] : results.facts)
    if (key == "device_description") text += wrapped("on " + in_words(value), 0);
  if (!results.rows.empty())
    text += wrapped(grouped(results.rows.front().items) + " lanes, of which the share " +
                        axis_in_words(results.rows.front(), "hit_probability") +
                        " hits; \"equal\": within the noise, " + percent_in_words(results.noise) +
                        " or more",
                    0);
  for (const Decision& decision : decisions) {
    text += "\n" + decision.question + ", " + decision.work + " work per lane\n";
    text += entry(decision.strategy, three_digits(decision.ms) + " ms", 18);
    if (!decision.use.empty()) text += wrapped(decision.use, 4);
    std::string others;
    for (const Alternative& other : decision.others)
      others += (others.empty() ? "others: " : ", ") + alternative_in_words(other);
    if (!others.empty()) text += wrapped(others, 4);
  }
  const bool in_kernels = std::any_of(decisions.begin(), decisions.end(),
                                      [](const Decision& d) { return !d.use.empty(); });
  if (in_kernels) text += "\nFor your kernels: #include <ballotcast/slots.hpp>\n";
  return text;
}

std::string decisions_json(const Results& results, const std::vector<Decision>& decisions) {
  Json facts = Json::object(), list = Json::array();
  for (const auto& [key, value] : results.facts) {
    Json& place = facts[key];
    std::visit([&](const auto& v) { place = v; }, value);
  }
  for (const Decision& decision : decisions) list.push_back(json_of(decision));
  return text_of({{"format", "ballotcast decisions"},
                  {"version", 1},
                  {"facts", facts},
                  {"noise_relative", results.noise},
                  {"decisions", list}});
}

}  // namespace ballotcast::detail
