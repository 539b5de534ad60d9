#include "view/guard.hpp"

#include <sys/random.h>

#include <algorithm>

#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// True if both are equal. Takes as long wherever they differ, so that nobody learns a token by
/// measuring times.
bool same_text(std::string_view a, std::string_view b) {
  unsigned different = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

}  // namespace

std::string new_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw DeviceError("this system has no random numbers for the token of the page");
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool Guard::is_own_host(std::string_view host) const {
  if (any_host_) return !host.empty();
  // The port may be another one: that of a tunnel's near end. What counts is the name.
  const std::size_t colon = host.rfind(':');
  const std::string_view name = host.substr(0, colon);
  return name == "127.0.0.1" || name == "localhost";
}

std::string Guard::refuses(const Caller& caller) const {
  if (!is_own_host(caller.host)) return "this server is not called " + caller.host;
  if (!caller.origin.empty() && caller.origin != "http://" + caller.host)
    return "pages of other sites may not ask";
  if (!same_text(caller.token, token_))
    return "the token is missing or wrong; open the whole address that ballotcast view printed";
  return "";
}

}  // namespace ballotcast::detail
