#include "bench/reports/findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/reports/view.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Rows that differ only in the view's subject, by a text with the values that they share.
using Groups = std::map<std::string, std::vector<const Row*>>;

std::string text_at(const Row& row, const std::string& key) {
  const Value* value = find(row.axes, key);
  return value == nullptr ? "" : in_words(*value);
}

std::string milliseconds(const Row& row) { return three_digits(row.timing->median_ms) + " ms"; }

std::string times(double ratio) { return three_digits(ratio) + "x"; }

/// A rate in words: "1.2 G hits/s".
std::string hits(double number) {
  const std::string words = prefixed(number);
  return words + (words.ends_with(' ') ? "" : " ") + "hits/s";
}

std::string percent(double share) { return fixed(share * 100.0, 1) + " %"; }

/// ", with A, B", or "" without conditions.
std::string with(const std::string& conditions) {
  return conditions.empty() ? "" : ", with " + conditions;
}

/// The right rows of `view` for which `wanted` is true, in groups.
template <class Wanted>
Groups groups_of(const View& view, Wanted wanted) {
  Groups groups;
  for (const Row* row : view.rows)
    if (row->verdict == Verdict::right && wanted(*row))
      groups[conditions_of(*row, without(view.varying, view.subject))].push_back(row);
  return groups;
}

const Row* named(const View& view, const std::vector<const Row*>& rows, const std::string& name) {
  for (const Row* row : rows)
    if (text_at(*row, view.subject) == name) return row;
  return nullptr;
}

double time_of(const Row* row) { return row->timing->median_ms; }

bool less_time(const Row* a, const Row* b) { return time_of(a) < time_of(b); }

/// Leaf hits per second, as fast as the work alone would give them if counting cost nothing.
std::optional<double> hits_per_s(const Row& none) {
  const Value* value = find(none.axes, "hit_probability");
  if (value == nullptr || !none.items_per_s()) return std::nullopt;
  const double* share = std::get_if<double>(value);
  const u64* whole = std::get_if<u64>(value);
  if (share == nullptr && whole == nullptr) return std::nullopt;
  return *none.items_per_s() * (share != nullptr ? *share : static_cast<double>(*whole));
}

/// The cost of naive over none: the worst case, the cheapest counting strategy in that case, and
/// the cases in which the difference is below the noise.
void against_none(const View& view, double noise, std::vector<std::string>& out) {
  const Groups groups = groups_of(view, [](const Row& row) { return row.timing.has_value(); });
  const std::string& name = view.experiment.name;
  const std::vector<const Row*>* worst = nullptr;
  double most = 0.0, quiet = 0.0, loud = HUGE_VAL;
  std::size_t within = 0, all = 0;
  for (const auto& [conditions, rows] : groups) {
    const Row* naive = named(view, rows, "naive");
    const Row* none = named(view, rows, "none");
    if (naive == nullptr || none == nullptr || time_of(none) <= 0.0) continue;
    const double ratio = time_of(naive) / time_of(none);
    const bool same = ratio - 1.0 <= noise;
    ++all;
    within += same;
    if (const auto rate = hits_per_s(*none)) {
      if (same) quiet = std::max(quiet, *rate);
      if (!same) loud = std::min(loud, *rate);
    }
    if (worst == nullptr || ratio > most) {
      most = ratio;
      worst = &rows;
    }
  }
  if (worst == nullptr) return;
  const Row* naive = named(view, *worst, "naive");
  const Row* none = named(view, *worst, "none");
  const std::string conditions = conditions_of(*naive, without(view.varying, view.subject));
  if (most - 1.0 <= noise) {
    out.push_back(name + ": naive is nowhere slower than none beyond the noise of " +
                  percent(noise) + ".");
    return;
  }
  out.push_back(name + ": naive takes up to " + times(most) + " the time of none (" +
                milliseconds(*naive) + " against " + milliseconds(*none) + ")" + with(conditions) +
                ".");
  std::vector<const Row*> counting = *worst;
  std::erase(counting, none);
  const Row* best = *std::min_element(counting.begin(), counting.end(), less_time);
  if (best != naive) {
    const double over = time_of(best) / time_of(none);
    out.push_back(name + ": the cheapest that counts there is " + text_at(*best, view.subject) +
                  ", " +
                  (over - 1.0 <= noise ? "within the noise of none" : times(over) + " of none") +
                  " and " + times(time_of(naive) / time_of(best)) + " as fast as naive.");
  }
  std::string sentence = name + ": naive is within the noise (" + percent(noise) + ") of none in " +
                         grouped(within) + " of " + grouped(all) + " cases";
  if (within > 0 && quiet > 0.0 && loud < HUGE_VAL)
    sentence += quiet < loud
                    ? ": up to " + hits(quiet) + "; it costs more from " + hits(loud) + " on"
                    : ", at up to " + hits(quiet) + "; elsewhere it costs more at " + hits(loud) +
                          " already";
  out.push_back(sentence + ".");
}

/// For experiments without a row none: the largest ratio between the slowest and the fastest row.
void fastest_and_slowest(const View& view, double noise, std::vector<std::string>& out) {
  const Groups groups = groups_of(view, [](const Row& row) { return row.timing.has_value(); });
  const std::vector<const Row*>* widest = nullptr;
  double most = 1.0;
  for (const auto& [conditions, rows] : groups) {
    const auto [least, greatest] = std::minmax_element(rows.begin(), rows.end(), less_time);
    if (rows.size() < 2 || time_of(*least) <= 0.0) continue;
    const double ratio = time_of(*greatest) / time_of(*least);
    if (widest == nullptr || ratio > most) {
      most = ratio;
      widest = &rows;
    }
  }
  if (widest == nullptr) return;
  const std::string& name = view.experiment.name;
  const auto [least, greatest] = std::minmax_element(widest->begin(), widest->end(), less_time);
  const auto called = [&](const Row& row) {
    const Value* value = find(row.axes, view.subject);
    return value != nullptr && std::holds_alternative<std::string>(*value)
               ? in_words(*value)
               : conditions_of(row, {view.subject});
  };
  if (most - 1.0 <= noise) {
    out.push_back(name + ": no difference beyond the noise of " + percent(noise) + ".");
    return;
  }
  out.push_back(name + ": " + called(**least) + " is fastest (" + milliseconds(**least) + "), " +
                called(**greatest) + " slowest (" + milliseconds(**greatest) + ", " + times(most) +
                ")" + with(conditions_of(**least, without(view.varying, view.subject))) + ".");
}

/// In emulation: the atomics of naive, or else the largest number, compared with the smallest.
void atomics(const View& view, std::vector<std::string>& out) {
  const Groups groups =
      groups_of(view, [](const Row& row) { return row.atomics && *row.atomics > 0; });
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
    if (view.timed() && out.size() == before) fastest_and_slowest(view, results.noise, out);
    if (view.untimed()) atomics(view, out);
  }
  return out;
}

}  // namespace ballotcast::detail
