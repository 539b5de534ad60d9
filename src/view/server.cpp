#include "view/server.hpp"

#include <sys/random.h>

#include <algorithm>
#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"
#include "view/request.hpp"
#include "view/sockets.hpp"

namespace ballotcast::detail {

namespace {

/// True if both texts are equal. The time that this takes does not depend on where they differ, so
/// nobody can guess a token by measuring times.
bool same_text(std::string_view a, std::string_view b) {
  unsigned different = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

namespace http = boost::beast::http;

constexpr std::size_t kMostConnections = 48;  // a single browser opens up to six
// The time limit for the next request of a connection that has sent the token, and for each other
// read, in milliseconds; then the limits of Connection::finish, in seconds. Connections without the
// token (strangers) must end soon, because they take up places of kMostConnections.
constexpr int kIdlePatience = 60'000, kRequestPatience = 10'000;
constexpr int kFinishSeconds = 30, kFinishSecondsOfStrangers = 2;
constexpr std::uint32_t kMostHeaderBytes = 16 * 1024;
constexpr std::uint64_t kMostBodyBytes = std::uint64_t{2} << 30;
constexpr std::size_t kReadAtOnce = 64 * 1024;  // number of bytes of a body that are read at once

using Head = http::request_parser<http::buffer_body>;

std::string text_of(boost::beast::string_view view) { return {view.data(), view.size()}; }

HttpResponse refusal(int status, const std::string& why) {
  return {status, HttpResponse{}.type, why, {}};
}

/// Returns the answer of `work`. If `work` throws, returns an answer that reports the exception.
template <class Work>
HttpResponse answer_or_error(const Work& work) {
  try {
    return work();
  } catch (const Stopped&) {
    return refusal(204, "");  // the page no longer waits for the answer
  } catch (const UsageError& error) {
    return refusal(400, error.what());
  } catch (const InputError& error) {
    return refusal(400, error.what());
  } catch (const std::bad_alloc&) {
    return refusal(500, "out of memory");
  } catch (const std::exception& error) {
    return refusal(500, error.what());
  }
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
  // Compares only the name, because the port may differ, for example at the near end of a tunnel.
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

bool is_loopback(std::string_view host) { return host == "127.0.0.1" || host == "localhost"; }

class Server::State {
 public:
  State(const HostAndPort& address, std::string token, Service service)
      : service_(std::move(service)),
        guard_(std::move(token), !is_loopback(address.host)),
        port_(address.host, address.port) {}

  ~State() { end_.begin(); }
  int port() const { return port_.number(); }
  void stop() { end_.begin(); }

  void serve() {
    for (;;) {
      Descriptor socket = port_.next(end_);
      if (!socket.open()) break;
      workers_.remove_if([](Worker& worker) { return worker.done.load(); });
      if (served() >= kMostConnections && !close_a_stranger()) continue;
      Worker& worker = workers_.emplace_back(std::move(socket));
      try {
        worker.thread = std::thread([this, &worker] { work_on(worker); });
        // No thread can be started, so this connection is closed
      } catch (const std::system_error&) {
        workers_.pop_back();
      }
    }
    workers_.clear();
  }

 private:
  /// A connection and the thread that serves it.
  struct Worker {
    explicit Worker(Descriptor its_socket) : socket(std::move(its_socket)) {}
    ~Worker() {
      if (thread.joinable()) thread.join();
    }

    /// Makes the thread of this connection end soon.
    void stop(const EndOfService& end) {
      const std::lock_guard lock(closing);
      stopped = true;
      if (!done) Connection(socket, end).close();
    }
    /// Called by the thread of this connection as its last action.
    void finish() {
      const std::lock_guard lock(closing);
      socket.close();
      done = true;
    }

    Descriptor socket;
    bool stopped = false;             // true after stop(); used only by serve()
    std::atomic<bool> known = false;  // true once a request has sent the token
    std::atomic<bool> done = false;
    std::mutex closing;  // held while the socket is being closed
    std::thread thread;
  };

  /// The number of connections, without those that are about to end.
  std::size_t served() const {
    return static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(),
                      [](const Worker& worker) { return !worker.stopped && !worker.done; }));
  }

  /// Closes the oldest connection that has not sent the token. Returns false if there is none.
  bool close_a_stranger() {
    for (Worker& worker : workers_)
      if (!worker.known && !worker.stopped && !worker.done) {
        worker.stop(end_);
        return true;
      }
    return false;
  }

  void work_on(Worker& worker) {
    try {
      Connection connection(worker.socket, end_);
      boost::beast::flat_buffer buffer;  // holds bytes that were read beyond the end of a request
      while (answer_one(connection, buffer, worker.known)) {
      }
      connection.finish(worker.known ? kFinishSeconds : kFinishSecondsOfStrangers);
      // The browser has closed the connection, or there is not enough memory
    } catch (const std::exception&) {
    }
    worker.finish();
  }

  /// Answers the next request of a connection. Returns false if the connection is to be closed
  /// after it.
  bool answer_one(Connection& connection, boost::beast::flat_buffer& buffer,
                  std::atomic<bool>& known) {
    boost::system::error_code error;
    Head head;
    head.header_limit(kMostHeaderBytes);
    head.body_limit(kMostBodyBytes);
    connection.set_patience(known ? kIdlePatience : kRequestPatience);
    http::read_header(connection, buffer, head, error);
    if (error) {
      if (error.category() == http::make_error_code(http::error::end_of_stream).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message)
        write(connection, refusal(400, "this is no request: " + error.message()), 11, false, true);
      return false;
    }
    const unsigned version = head.get().version();
    HttpResponse answer =
        answer_or_error([&] { return answer_to(connection, buffer, head, known); });
    // A connection can't be used again while part of a body is unread: that part would be parsed as
    // the next request.
    const bool stays = head.get().keep_alive() && head.is_done();
    const bool has_body = head.get().method() != http::verb::head;
    write(connection, std::move(answer), version, stays, has_body);
    return stays;
  }

  HttpResponse answer_to(Connection& connection, boost::beast::flat_buffer& buffer, Head& head,
                         std::atomic<bool>& known) {
    const auto& fields = head.get();
    const bool is_post = fields.method() == http::verb::post;
    if (!is_post && fields.method() != http::verb::get && fields.method() != http::verb::head)
      return refusal(405, "only GET, HEAD and POST are answered");
    Address address = parsed_address(text_of(fields.target()));
    std::string token = text_of(fields["X-Ballotcast-Token"]);
    if (token.empty()) token = address.values.contains("token") ? address.values["token"] : "";
    const std::string why = guard_.refuses(
        {token, text_of(fields[http::field::host]), text_of(fields[http::field::origin])});
    if (!why.empty()) return refusal(403, why);
    known = true;
    const HttpRequest http{is_post ? "POST" : "GET", address.path,
                           UrlQuery(std::move(address.values)),
                           [&connection] { return connection.is_closed(); }};
    if (is_post) receive(connection, buffer, head, service_.body(http));
    return service_.answer(http);
  }

  static void receive(Connection& connection, boost::beast::flat_buffer& buffer, Head& head,
                      const BodySink& sink) {
    std::vector<char> bytes(kReadAtOnce);
    while (!head.is_done()) {
      auto& body = head.get().body();
      body.data = bytes.data();
      body.size = bytes.size();
      boost::system::error_code error;
      connection.set_patience(kRequestPatience);
      http::read(connection, buffer, head, error);
      if (error == http::error::need_buffer) error = {};
      if (error) throw InputError("the data could not be received: " + error.message());
      if (const std::size_t count = bytes.size() - body.size; count > 0) sink(bytes.data(), count);
    }
  }

  /// Sends an answer. Without `has_body`, sends only the header, with the length that the body
  /// would have, as HEAD requires (RFC 9110, 9.3.2).
  static void write(Connection& connection, HttpResponse answer, unsigned version, bool stays,
                    bool has_body) {
    http::response<http::string_body> response(static_cast<http::status>(answer.status), version);
    response.set(http::field::content_type, answer.type);
    // Headers for browsers: the page loads nothing from other sites, may not be shown in a frame,
    // and sends no referrer.
    response.set(http::field::cache_control, "no-store");
    response.set("Referrer-Policy", "no-referrer");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Frame-Options", "DENY");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    for (const auto& [name, value] : answer.headers) response.set(name, value);
    response.keep_alive(stays);
    response.body() = std::move(answer.body);
    response.prepare_payload();
    http::response_serializer<http::string_body> bytes(response);
    has_body ? http::write(connection, bytes) : http::write_header(connection, bytes);
  }

  const Service service_;
  const Guard guard_;
  const EndOfService end_;
  const Port port_;
  std::list<Worker> workers_;  // used only by serve()
};

Server::Server(const HostAndPort& address, std::string token, Service service)
    : state_(std::make_unique<State>(address, std::move(token), std::move(service))) {}
Server::~Server() = default;
int Server::port() const { return state_->port(); }
void Server::serve() { state_->serve(); }
void Server::stop() { state_->stop(); }

}  // namespace ballotcast::detail
