// Who may ask: a page that knows the token, and no page of another site.
#pragma once

#include <string>
#include <string_view>

namespace ballotcast::detail {

/// A token that nobody can guess: 32 hexadecimal digits from the system's random numbers. Throws
/// DeviceError if the system has none.
std::string new_token();

/// What a request says about who asks.
struct Caller {
  std::string token;
  std::string host;    // the header Host: the name by which the browser knows this server
  std::string origin;  // the header Origin, "" if there is none: the page that asks
};

/// Checks requests to one server.
class Guard {
 public:
  /// `any_host`: this server is reachable under names that it can't know, because it was bound to
  /// more than this machine.
  Guard(std::string token, bool any_host) : token_(std::move(token)), any_host_(any_host) {}

  /// Why the request is refused, in words; "" if it is not.
  ///
  /// The token keeps out other users of this machine and other sites. The name of the host matters
  /// as well: a foreign site may give its own name this machine's address (DNS rebinding).
  std::string refuses(const Caller& caller) const;

  const std::string& token() const { return token_; }

 private:
  bool is_own_host(std::string_view host) const;

  std::string token_;
  bool any_host_;
};

}  // namespace ballotcast::detail
