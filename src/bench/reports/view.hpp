// The parts of results that all reports need: which rows form a table, which axes vary in it, the
// names of its values, and the noise of measurements. Reports claim no difference that lies within
// the noise.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// An experiment with its rows. It points into the results, which must outlive the view.
struct View {
  Experiment experiment;
  std::vector<const Row*> rows = {};
  Values constants = {};                  // axes with the same value in all rows
  std::vector<std::string> varying = {};  // keys of the other axes, in order of first appearance
  std::string subject = {};               // the varying axis that the table is about, or ""
  // The varying axes whose values are ways to do the same work
  std::vector<std::string> choices = {};
  std::vector<std::string> found = {};  // keys of Row::found, in order of first appearance
  // The noise of ratio_to_naive and of overhead_of_none, for each row that has them.
  std::map<const Row*, double> noise_to_naive = {}, noise_over_none = {};

  bool timed() const;    // true if at least one row has a time
  bool untimed() const;  // true if there are right rows and none of them has a time
};

/// One view for each experiment that has rows: first the experiments of Results::experiments in
/// their order, then those that only occur in rows.
std::vector<View> views_of(const Results& results);

/// True if an experiment has right rows but none with a time, although times were requested. That
/// is so in emulation, where times have no meaning.
bool emulated(const Results& results);

inline constexpr const char* kEmulatedNote =
    "emulated: semantics and exact atomic counts; times mean nothing here and are not shown";

/// The number of rows with this verdict.
std::size_t count(const Results& results, Verdict verdict);

/// The number of rows per verdict as text: "130 right, 1 WRONG, 2 skipped".
std::string verdicts_in_words(const Results& results);

/// The label for a key: "block size" for "block_size", "clock (MHz)" for "clock_mhz".
std::string label_of(const std::string& key);

/// A value as text for people: integers with thousands separators, "-" for an empty text.
std::string shown(const Value& value);

/// The values of `row` on the axes `keys`, as text: "work flag, rays 1,048,576".
std::string conditions_of(const Row& row, const std::vector<std::string>& keys);

/// `keys` without `key`.
std::vector<std::string> without(std::vector<std::string> keys, const std::string& key);

/// `keys` without those in `others`.
std::vector<std::string> without(std::vector<std::string> keys,
                                 const std::vector<std::string>& others);

/// Row::bytes per second. Absent if the row has no bytes or no time.
std::optional<double> bytes_per_s(const Row& row);

/// A positive number as text with at least three digits: "0.0443", "6.14", "157".
std::string three_digits(double number);

/// The key of a fact in results of earlier versions that describes their noise. Tables show
/// noise_in_words instead.
inline constexpr const char* kNoiseFact = "noise";

/// The noise between two rows: the relative difference up to which no difference is claimed. It is
/// the sum of both spreads, but at least `least`.
double noise_between(const Row& a, const Row& b, double least);

/// The milliseconds per item of a row, to compare rows that do the same work. The row must have a
/// time.
double time_per_item(const Row& row);

/// The time per item of `slow` divided by that of `fast`; 1 if `fast` has the time 0.
double times_slower(const Row& slow, const Row& fast);

/// True if `ratio`, of two times, is so close to 1 that no difference is claimed.
bool is_within(double noise, double ratio);

/// True if one of the rows is faster than the other by more than their noise.
bool differ(const Row& a, const Row& b, double least);

/// A relative difference as text: "0.3 %", "128 %".
std::string percent_in_words(double share);

/// The noise of these results in words: "spread of the samples ±0.1 % to ±3.2 %, median ±0.4 %; no
/// difference below ±6.0 % is claimed". "" if no row has a time.
std::string noise_in_words(const Results& results);

}  // namespace ballotcast::detail
