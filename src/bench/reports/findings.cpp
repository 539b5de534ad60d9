#include <algorithm>
#include <cmath>
#include <map>

#include "bench/reports/formats.hpp"
#include "bench/reports/view.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Groups of rows that do the same work. The key is the text of the axes that are equal within a
/// group.
using Groups = std::map<std::string, std::vector<const Row*>>;

std::string text_at(const Row& row, const std::string& key) {
  const Value* value = find(row.axes, key);
  return value == nullptr ? "" : in_words(*value);
}

std::string milliseconds(const Row& row) { return three_digits(row.timing->median_ms) + " ms"; }

std::string times(double ratio) { return three_digits(ratio) + "x"; }

/// A rate in words, for `number` items per second: "1.2 G hits/s".
std::string per_second(double number, const std::string& items) {
  for (const auto& [factor, prefix] : {std::pair{1e9, " G "}, {1e6, " M "}, {1e3, " k "}})
    if (number >= factor) return three_digits(number / factor) + prefix + items + "/s";
  return three_digits(number) + " " + items + "/s";
}

/// ", with A, B" for the conditions "A, B"; "" if there are none.
std::string with(const std::string& conditions) {
  return conditions.empty() ? "" : ", with " + conditions;
}

/// Groups the rows of `view` whose results are right and for which `wanted` is true. Within a
/// group, rows differ only in the axes `choices`.
template <class Wanted>
Groups groups_of(const View& view, const std::vector<std::string>& choices, Wanted wanted) {
  Groups groups;
  for (const Row* row : view.rows)
    if (row->verdict == Verdict::right && wanted(*row))
      groups[conditions_of(*row, without(view.varying, choices))].push_back(row);
  return groups;
}

bool has_time(const Row& row) { return row.timing && row.timing->median_ms > 0.0; }

const Row* named(const View& view, const std::vector<const Row*>& rows, const std::string& name) {
  for (const Row* row : rows)
    if (text_at(*row, view.subject) == name) return row;
  return nullptr;
}

bool less_time(const Row* a, const Row* b) { return time_per_item(*a) < time_per_item(*b); }

/// The number of other rows whose time differs from that of `best` by no more than the noise, as
/// text: "; 2 others are within the noise of it". "" if there are none.
std::string ties(const Row* best, const std::vector<const Row*>& rows, double noise) {
  const auto count = std::count_if(rows.begin(), rows.end(), [&](const Row* row) {
    return row != best && !differ(*row, *best, noise);
  });
  if (count == 0) return "";
  return count == 1
             ? "; 1 other is within the noise of it"
             : "; " + grouped(static_cast<u64>(count)) + " others are within the noise of it";
}

/// Hits per second when nothing is counted: the items per second of a row of strategy none, times
/// its hit probability. Absent if the row has no hit probability or no time.
std::optional<double> hits_per_s(const Row& none) {
  const Value* value = find(none.axes, "hit_probability");
  if (value == nullptr || !none.items_per_s()) return std::nullopt;
  const double* share = std::get_if<double>(value);
  const u64* whole = std::get_if<u64>(value);
  if (share == nullptr && whole == nullptr) return std::nullopt;
  return *none.items_per_s() * (share != nullptr ? *share : static_cast<double>(*whole));
}

/// Adds sentences about the time of naive compared with that of none: the worst case, the cheapest
/// counting strategy in that case, and the number of cases in which both are within the noise.
void against_none(const View& view, double noise, std::vector<std::string>& out) {
  const Groups groups = groups_of(view, {view.subject}, has_time);
  const std::string& name = view.experiment.name;
  const std::vector<const Row*>* worst = nullptr;
  double most = 0.0, quiet = 0.0, loud = HUGE_VAL;
  std::size_t within = 0, all = 0;
  for (const auto& [conditions, rows] : groups) {
    const Row* naive = named(view, rows, "naive");
    const Row* none = named(view, rows, "none");
    if (naive == nullptr || none == nullptr) continue;
    const double ratio = times_slower(*naive, *none);
    const bool same = ratio <= 1.0 || !differ(*naive, *none, noise);
    ++all;
    within += same;
    if (const auto rate = hits_per_s(*none)) {
      if (same) quiet = std::max(quiet, *rate);
      if (!same) loud = std::min(loud, *rate);
    }
    if (!same && ratio > most) {
      most = ratio;
      worst = &rows;
    }
  }
  if (all == 0) return;
  if (worst == nullptr) {
    out.push_back(name + ": naive is nowhere slower than none beyond the noise.");
    return;
  }
  const Row* naive = named(view, *worst, "naive");
  const Row* none = named(view, *worst, "none");
  const std::string conditions = conditions_of(*naive, without(view.varying, view.subject));
  out.push_back(name + ": naive takes up to " + times(most) + " the time of none (" +
                milliseconds(*naive) + " against " + milliseconds(*none) + ")" + with(conditions) +
                ".");
  std::vector<const Row*> counting = *worst;
  std::erase(counting, none);
  const Row* best = *std::min_element(counting.begin(), counting.end(), less_time);
  if (best != naive && differ(*best, *naive, noise)) {
    const bool free = !differ(*best, *none, noise);
    out.push_back(
        name + ": the cheapest that counts there is " + text_at(*best, view.subject) + " (" +
        milliseconds(*best) + ties(best, counting, noise) + "), " +
        (free ? "within the noise of none" : times(times_slower(*best, *none)) + " of none") +
        " and " + times(times_slower(*naive, *best)) + " as fast as naive.");
  }
  std::string sentence = name + ": naive is within the noise of none in " + grouped(within) +
                         " of " + grouped(all) + " cases";
  if (within > 0 && quiet > 0.0 && loud < HUGE_VAL)
    sentence += quiet < loud
                    ? ": up to " + per_second(quiet, "hits") + "; it costs more from " +
                          per_second(loud, "hits") + " on"
                    : ", at up to " + per_second(quiet, "hits") + "; elsewhere it costs more at " +
                          per_second(loud, "hits") + " already";
  out.push_back(sentence + ".");
}

/// The choice that distinguishes a row, in words: "warp", or "pipeline warp, builder sbvh" if
/// several axes vary.
std::string choice_in_words(const View& view, const Row& row) {
  const Value* value = find(row.axes, view.subject);
  return view.choices.size() == 1 && value != nullptr && std::holds_alternative<std::string>(*value)
             ? in_words(*value)
             : conditions_of(row, view.choices);
}

/// The rate of a row as text if the experiment is about rates; otherwise its time.
std::string pace_of(const View& view, const Row& row) {
  return view.experiment.about_rate ? per_second(*row.items_per_s(), view.experiment.items)
                                    : milliseconds(row);
}

/// For experiments without strategy none: compares the fastest and the slowest choice in the group
/// in which they differ most. Also tells in how many groups this choice is the fastest, and in how
/// many it is slower than the fastest by no more than the noise.
void fastest_and_slowest(const View& view, double noise, std::vector<std::string>& out) {
  Groups groups = groups_of(view, view.choices, has_time);
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  if (groups.empty()) return;
  const std::vector<const Row*>* widest = nullptr;
  double most = 1.0;
  for (const auto& [conditions, rows] : groups) {
    const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end(), less_time);
    const double ratio = times_slower(**greatest, **least);
    if (!differ(**greatest, **least, noise) || ratio <= most) continue;
    most = ratio;
    widest = &rows;
  }
  const std::string& name = view.experiment.name;
  if (widest == nullptr) {
    std::string axes;
    for (const std::string& key : view.choices) axes += (axes.empty() ? "" : ", ") + label_of(key);
    out.push_back(name + ": no difference by " + axes + " beyond the noise.");
    return;
  }
  const auto [least, greatest] = std::minmax_element(widest->begin(), widest->end(), less_time);
  const std::string best = choice_in_words(view, **least);
  out.push_back(name + ": " + best + " is fastest (" + pace_of(view, **least) +
                ties(*least, *widest, noise) + "), " + choice_in_words(view, **greatest) +
                " is slowest (" + pace_of(view, **greatest) + ", " + times(most) + ")" +
                with(conditions_of(**least, without(view.varying, view.choices))) + ".");
  std::size_t wins = 0, tried = 0;
  for (const auto& [conditions, rows] : groups)
    for (const Row* row : rows) {
      if (choice_in_words(view, *row) != best) continue;
      const Row* first = *std::min_element(rows.begin(), rows.end(), less_time);
      ++tried;
      wins += row == first || !differ(*row, *first, noise);
    }
  if (tried > 1)
    out.push_back(name + ": " + best + " is the fastest, or within the noise of it, in " +
                  grouped(wins) + " of " + grouped(tried) + " cases.");
}

/// For experiments in which each row does different work, so that no row can be called faster: adds
/// the range of their rates.
void range_of_rates(const View& view, std::vector<std::string>& out) {
  std::vector<const Row*> rows;
  for (const Row* row : view.rows)
    if (row->verdict == Verdict::right && has_time(*row) && row->items > 0) rows.push_back(row);
  if (rows.size() < 2) return;
  const auto [most, least] = std::minmax_element(rows.begin(), rows.end(), less_time);
  const auto words = [&](const Row& row) {
    return per_second(*row.items_per_s(), view.experiment.items) + " (" +
           conditions_of(row, view.varying) + ")";
  };
  out.push_back(view.experiment.name + ": rates go from " + words(**least) + " to " +
                words(**most) + ".");
}

/// For emulation: compares the number of atomics of naive with the smallest number, in the group in
/// which they differ most. If there is no row of naive, takes the largest number instead.
void atomics(const View& view, std::vector<std::string>& out) {
  const Groups groups = groups_of(view, {view.subject},
                                  [](const Row& row) { return row.atomics && *row.atomics > 0; });
  const auto fewer = [](const Row* a, const Row* b) { return *a->atomics < *b->atomics; };
  const Row *few = nullptr, *many = nullptr;
  double most = 1.0;
  for (const auto& [conditions, rows] : groups) {
    const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end(), fewer);
    const Row* naive = named(view, rows, "naive");
    const Row* top = naive != nullptr ? naive : *greatest;
    const double ratio =
        static_cast<double>(*top->atomics) / static_cast<double>(*(*least)->atomics);
    if (ratio > most) {
      most = ratio;
      few = *least;
      many = top;
    }
  }
  if (few == nullptr) return;
  out.push_back(view.experiment.name + ": " + text_at(*many, view.subject) + " issues " +
                grouped(*many->atomics) + " atomics where " + text_at(*few, view.subject) +
                " issues " + grouped(*few->atomics) + " (" + times(most) + ")" +
                with(conditions_of(*few, without(view.varying, view.subject))) + ".");
}

}  // namespace

std::vector<std::string> findings_of(const Results& results) {
  std::vector<std::string> out;
  for (const View& view : views_of(results)) {
    const std::size_t before = out.size();
    if (view.timed()) against_none(view, results.noise, out);
    if (view.timed() && out.size() == before && !view.choices.empty())
      fastest_and_slowest(view, results.noise, out);
    if (view.timed() && out.size() == before) range_of_rates(view, out);
    if (view.untimed()) atomics(view, out);
  }
  return out;
}

}  // namespace ballotcast::detail
