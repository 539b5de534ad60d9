// A server for one page, on this computer. Only a page that knows the token may send requests, and
// no page of another site. Only server.cpp includes the HTTP library, Boost.Beast.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/request.hpp"

namespace ballotcast::detail {

/// A token that nobody can guess: 32 hexadecimal digits from the system's random numbers. Throws
/// DeviceError if the system has none.
std::string new_token();

/// What a request says about its sender.
struct Caller {
  std::string token;
  std::string host;    // the header Host: the name by which the browser knows this server
  std::string origin;  // the header Origin, "" if there is none: the page that asks
};

/// Checks requests to one server.
class Guard {
 public:
  /// `any_host`: the server listens beyond this computer, so it is reachable under names that it
  /// can't know.
  Guard(std::string token, bool any_host) : token_(std::move(token)), any_host_(any_host) {}

  /// The reason why the request is refused, in words; "" if it is accepted.
  ///
  /// The token keeps out other users of this computer and other sites. The name of the host is
  /// checked, too: a foreign site may let its own name point to this computer's address (DNS
  /// rebinding).
  std::string refuses(const Caller& caller) const;

  const std::string& token() const { return token_; }

 private:
  bool is_own_host(std::string_view host) const;

  std::string token_;
  bool any_host_;
};

/// A request that the guard has let through.
struct HttpRequest {
  std::string method;  // GET or POST; HEAD is GET here
  std::string path;    // "/picture"
  UrlQuery query;
  std::function<bool()> is_left;  // true once nobody waits for the answer any more
};

/// The answer to a request.
struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Receives the body of a POST, in blocks. Throws to refuse the rest.
using BodySink = std::function<void(const char* bytes, std::size_t count)>;

/// Handles requests that the guard lets through. Several threads call it at once. Exceptions of the
/// library become answers: UsageError and InputError 400, with the text of the error; Stopped 204,
/// which has no content; others 500.
struct Service {
  std::function<HttpResponse(const HttpRequest&)> answer;
  /// The sink for the body of a POST; `answer` is called after it.
  std::function<BodySink(const HttpRequest&)> body;
};

/// Where a server can be reached.
struct HostAndPort {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: a free one
};

class Server {
 public:
  /// Opens the port. Throws UsageError, which names the port, if that fails.
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

/// True if only this computer can reach `host`: 127.0.0.1, localhost.
bool is_loopback(std::string_view host);

}  // namespace ballotcast::detail
