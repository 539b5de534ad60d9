// An HTTP server for one page, on this computer. Only pages that know the token may send requests,
// and no pages of other sites. Only server.cpp includes the HTTP library, Boost.Beast.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/request.hpp"

namespace ballotcast::detail {

/// Makes a token that nobody can guess: 32 hexadecimal digits of the system's random numbers.
/// Throws DeviceError if the system has none.
std::string new_token();

/// The parts of a request that identify its sender.
struct Caller {
  std::string token;
  std::string host;    // the header Host: the name that the browser uses for this server
  std::string origin;  // the header Origin: the page that has sent the request; "" if absent
};

/// Decides which requests a server answers.
class Guard {
 public:
  /// `any_host` must be true if other computers can reach the server. Then the header Host is not
  /// checked, because the server can't know all of its names.
  Guard(std::string token, bool any_host) : token_(std::move(token)), any_host_(any_host) {}

  /// The reason for rejecting the request of `caller`, in words; "" if it is accepted.
  ///
  /// The token keeps out other users of this computer and other sites. The header Host is also
  /// checked, because another site may let its own name point to this computer's address (DNS
  /// rebinding).
  std::string refuses(const Caller& caller) const;

  const std::string& token() const { return token_; }

 private:
  bool is_own_host(std::string_view host) const;

  std::string token_;
  bool any_host_;
};

/// A request that the Guard has accepted.
struct HttpRequest {
  std::string method;  // GET or POST; a HEAD request also has GET here
  std::string path;    // path of the URL, e.g. "/picture"
  UrlQuery query;
  std::function<bool()> is_left;  // returns true once nobody waits for the answer any more
};

/// The answer to a request.
struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Receives the body of a POST request, block by block. Throws to reject the rest.
using BodySink = std::function<void(const char* bytes, std::size_t count)>;

/// Handles the requests that the Guard accepts. Several threads call it at the same time.
/// Exceptions become answers: UsageError and InputError become 400 with the text of the error;
/// Stopped becomes 204, which has no content; all others become 500.
struct Service {
  std::function<HttpResponse(const HttpRequest&)> answer;
  /// Returns the sink for the body of a POST request. `answer` is called after the whole body.
  std::function<BodySink(const HttpRequest&)> body;
};

/// The address of a server.
struct HostAndPort {
  std::string host = "127.0.0.1";
  int port = 0;  // number of the port; 0 for any free one
};

class Server {
 public:
  /// Opens the port. Throws UsageError, which names the port, if it can't be opened.
  Server(const HostAndPort& address, std::string token, Service service);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Answers requests until another thread calls stop().
  void serve();
  void stop();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// True if only this computer can reach `host`: 127.0.0.1 or localhost.
bool is_loopback(std::string_view host);

}  // namespace ballotcast::detail
