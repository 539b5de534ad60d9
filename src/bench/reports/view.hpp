// The parts of results that all reports need: which rows form a table, which axes vary in it, and
// the names of its values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// An experiment with its rows. It points into the results, which must outlive it.
struct View {
  Experiment experiment;
  std::vector<const Row*> rows = {};
  Values constants = {};                  // axes with the same value in all rows
  std::vector<std::string> varying = {};  // keys of the other axes, in order of first appearance
  std::string subject = {};               // of `varying`: the axis that a table is about, or ""
  std::vector<std::string> choices = {};  // of `varying`: axes that are ways to do the same work
  std::vector<std::string> found = {};    // keys of Row::found, in order of first appearance
  // The noise per row of ratio_to_naive and overhead_of_none. Only for rows that have them.
  std::map<const Row*, double> noise_to_naive = {}, noise_over_none = {};

  bool timed() const;    // true if at least one row has a time
  bool untimed() const;  // true if there are right rows and none of them has a time
  bool has_bytes() const;
};

/// One view per experiment that has rows: first the listed experiments in their order, then those
/// that are not listed and occur only in rows.
std::vector<View> views_of(const Results& results);

/// True if an experiment has right rows and none of them has a time. That is so in emulation, where
/// times have no meaning.
bool emulated(const Results& results);

inline constexpr const char* kEmulatedNote =
    "emulated: semantics and exact atomic counts; times mean nothing here and are not shown";

/// The number of rows with this verdict.
std::size_t count(const Results& results, Verdict verdict);

/// The number of rows per verdict: "130 right, 1 WRONG, 2 skipped".
std::string verdicts_in_words(const Results& results);

/// A key as a label: "block_size" as "block size", "clock_mhz" as "clock (MHz)".
std::string label_of(const std::string& key);

/// A value for people: integers with thousands separators, "-" for an empty text.
std::string shown(const Value& value);

/// The values of `row` on the axes `keys`, as text: "work flag, rays 1,048,576".
std::string conditions_of(const Row& row, const std::vector<std::string>& keys);

/// `keys` without `key`.
std::vector<std::string> without(std::vector<std::string> keys, const std::string& key);

/// Returns `keys` without those in `others`.
std::vector<std::string> without(std::vector<std::string> keys,
                                 const std::vector<std::string>& others);

/// Row::bytes per second. Absent if the row has no bytes or no time.
std::optional<double> bytes_per_s(const Row& row);

/// A positive number with at least three digits: "0.0443", "6.14", "157".
std::string three_digits(double number);

}  // namespace ballotcast::detail
