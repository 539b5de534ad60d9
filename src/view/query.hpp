// The parameters behind the ? of a request. Every value comes from outside, so it is checked here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ballotcast/scene.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// The parameters of a request, by name. They are named like the options of `ballotcast render`.
/// The functions throw UsageError, which names the parameter, for values that have another form or
/// are out of range; all but the first of them return nothing for a parameter that is absent.
class UrlQuery {
 public:
  using Values = std::map<std::string, std::string>;

  explicit UrlQuery(Values values) : values_(std::move(values)) {}

  /// Throws UsageError if there is a parameter that is not among `known`.
  void require_only(std::initializer_list<std::string_view> known) const;

  bool has(const std::string& name) const { return values_.contains(name); }
  /// A text; "" if it is absent.
  std::string text(const std::string& name) const;
  std::optional<double> number(const std::string& name, double low, double high) const;
  std::optional<u32> count(const std::string& name, u32 low, u32 high) const;
  /// Three numbers: x,y,z.
  std::optional<Vec3d> vector(const std::string& name) const;
  /// Two numbers, `between` them: 640x360, or 12,7.
  std::optional<std::pair<u32, u32>> pair(const std::string& name, char between, u32 low,
                                          u32 high) const;
  /// Calls `set` with the value, if the parameter is present.
  template <class Set>
  void with(const std::string& name, const Set& set) const {
    if (has(name)) set(text(name));
  }

 private:
  Values values_;
};

}  // namespace ballotcast::detail
