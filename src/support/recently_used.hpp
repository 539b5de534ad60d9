// A cache of values by keys. The least recently used values are dropped first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace ballotcast::detail {

template <class Key, class Value>
class RecentlyUsed {
 public:
  /// The cache is full as soon as it has `most` values, not counting those that `keep` protects.
  explicit RecentlyUsed(std::size_t most) : most_(most) {}

  /// Returns the value of a key and marks it as used now. Returns null if there is no such key.
  Value* find(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    found->second.last_use = ++uses_;
    return &found->second.value;
  }

  /// Adds a value with a new key. Values keep their address until they are dropped.
  Value& add(const Key& key, Value value) {
    ++may_go_;
    return entries_.emplace(key, Entry{std::move(value), ++uses_, false}).first->second.value;
  }

  /// Protects a value: it is never dropped. The key must exist.
  void keep(const Key& key) {
    Entry& entry = entries_.at(key);
    if (!entry.stays) --may_go_;
    entry.stays = true;
  }

  bool is_full() const { return may_go_ >= most_; }

  /// Drops half of the values that may be dropped, the least recently used first.
  void drop_half() {
    std::vector<std::uint64_t> uses;
    for (const auto& [key, entry] : entries_)
      if (!entry.stays) uses.push_back(entry.last_use);
    const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
    if (middle == uses.begin()) return;
    std::nth_element(uses.begin(), middle, uses.end());
    for (auto at = entries_.begin(); at != entries_.end();)
      at = !at->second.stays && at->second.last_use < *middle ? entries_.erase(at) : std::next(at);
    may_go_ -= static_cast<std::size_t>(middle - uses.begin());
  }

 private:
  struct Entry {
    Value value;
    std::uint64_t last_use;
    bool stays;
  };

  const std::size_t most_;
  std::size_t may_go_ = 0;  // the number of entries that may be dropped
  std::uint64_t uses_ = 0;
  std::map<Key, Entry> entries_;
};

}  // namespace ballotcast::detail
