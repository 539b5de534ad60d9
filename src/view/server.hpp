// A server for one page, on this machine. Only server.cpp includes the HTTP library, Boost.Beast.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "view/guard.hpp"
#include "view/query.hpp"

namespace ballotcast::detail {

/// What a request asks for.
struct Asked {
  std::string method;  // GET or POST
  std::string path;    // "/picture"
  UrlQuery query;
  std::function<bool()> is_left;  // true once nobody waits for the answer any more
};

/// What it gets.
struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Receives the body of a POST, piece by piece. Throws to refuse the rest.
using BodySink = std::function<void(const char* bytes, std::size_t count)>;

/// What a server does with requests that its guard lets through. Requests are answered in several
/// threads at once. Exceptions of the library become answers: UsageError and InputError 400, with
/// the text of the error; Stopped 204, which has no
/// content; others 500.
struct Service {
  std::function<Answer(const Asked&)> answer;
  /// The sink for the body of a POST; `answer` is called after it.
  std::function<BodySink(const Asked&)> body;
};

/// Where a server can be reached.
struct HostAndPort {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: a free one
};

class Server {
 public:
  /// Takes the port. Throws UsageError, which names it, if that can't be done.
  Server(const HostAndPort& place, std::string token, Service service);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  /// Answers requests until another thread calls stop().
  void serve();
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// True if only this machine can reach `host`: 127.0.0.1, localhost.
bool is_loopback(std::string_view host);

}  // namespace ballotcast::detail
