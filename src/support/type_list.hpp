// Tables of types. Every option whose value becomes a template argument of a kernel has such a
// table, with a row per value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/tables.hpp"

namespace ballotcast::detail {

/// A list of types, which are the rows of a table. Each row has a constexpr `info` with a `name`.
template <class... Rows>
struct TypeList {};

/// A type as a value, for generic lambdas.
template <class Row>
struct TypeTag {
  using type = Row;
};

/// Throws a UsageError which says that there is no `kind` called `name`, and lists `names`.
[[noreturn]] inline void throw_unknown(std::string_view kind, std::string_view name,
                                       const std::vector<std::string_view>& names) {
  std::string message = "unknown ";
  message.append(kind).append(" '").append(name).append("'; known:");
  for (std::size_t i = 0; i < names.size(); ++i)
    message.append(i == 0 ? " " : ", ").append(names[i]);
  throw UsageError(message);
}

/// Throws UsageError, as throw_unknown does, if an element of `wanted` is not in `names`.
inline void require_known(std::string_view kind, const std::vector<std::string>& wanted,
                          const std::vector<std::string_view>& names) {
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw_unknown(kind, name, names);
}

/// Calls visit(TypeTag<Row>) for the row called `name`. If no row has this name, throws UsageError,
/// which lists the rows of this `kind`.
template <class... Rows, class Visit>
void dispatch(TypeList<Rows...>, std::string_view kind, std::string_view name, Visit&& visit) {
  const bool found =
      ((Rows::info.name == name ? (static_cast<void>(visit(TypeTag<Rows>{})), true) : false) ||
       ...);
  if (!found) throw_unknown(kind, name, {Rows::info.name...});
}

/// Calls visit(TypeTag<Row>) for the row whose `info` is *row. There must be such a row.
template <class... Rows, class Info, class Visit>
void dispatch_row(TypeList<Rows...>, [[maybe_unused]] const Info* row, Visit&& visit) {
  static_cast<void>(
      ((&Rows::info == row ? (static_cast<void>(visit(TypeTag<Rows>{})), true) : false) || ...));
}

/// The `info` of the row called `name`. If no row has this name, throws UsageError, which lists the
/// rows of this `kind`.
template <class... Rows>
auto row_called(TypeList<Rows...> rows, std::string_view kind, std::string_view name) {
  std::common_type_t<decltype(&Rows::info)...> row = nullptr;
  dispatch(rows, kind, name, [&](auto tag) { row = &decltype(tag)::type::info; });
  return row;
}

/// Calls visit(TypeTag<Row>) for every row, in order.
template <class... Rows, class Visit>
void each_row(TypeList<Rows...>, Visit&& visit) {
  (visit(TypeTag<Rows>{}), ...);
}

/// The `info` of every row.
template <class First, class... Rows>
auto rows_of(TypeList<First, Rows...>) {
  return std::vector{First::info, Rows::info...};
}

/// The name of every row.
template <class... Rows>
std::vector<std::string_view> names_in(TypeList<Rows...>) {
  return {Rows::info.name...};
}

/// The names of a table's rows, preceded by `first` unless it is "".
template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows, std::string_view first = "") {
  std::vector<std::string_view> names;
  if (!first.empty()) names.push_back(first);
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// The names of a table's rows with their summaries, in the form that the public functions return.
template <class Rows>
std::vector<Choice> choices_of(const Rows& rows) {
  std::vector<Choice> choices;
  for (const auto& row : rows) {
    Choice& choice = choices.emplace_back();
    choice.name = row.name;
    choice.summary = row.summary;
  }
  return choices;
}

}  // namespace ballotcast::detail
