#include "view/sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <cerrno>
#include <vector>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

// How long sending may take without any progress, in milliseconds
constexpr int kSendPatience = 20'000;
// How long to wait for data that is discarded, in milliseconds
constexpr int kFinishPatience = 2'000;

[[noreturn]] void refuse(const std::string& address, int number, const std::string& why) {
  throw UsageError("no page can be served at " + address + ", port " +
                   (number == 0 ? "any" : std::to_string(number)) + ": " + why);
}

boost::system::error_code last_error() { return {errno, boost::system::system_category()}; }

}  // namespace

EndOfService::EndOfService() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!event_.open()) throw DeviceError("the system has no more descriptors: " + reason());
}

void EndOfService::begin() const {
  const std::uint64_t one = 1;
  // Writing fails if the end has been announced already
  if (::write(event_.get(), &one, sizeof one) < 0) return;
}

bool EndOfService::wait_for(int socket, short events, int milliseconds) const {
  pollfd both[] = {{socket, events, 0}, {event_.get(), POLLIN, 0}};
  int ready = 0;
  do ready = ::poll(both, 2, milliseconds);
  while (ready < 0 && errno == EINTR);
  return ready > 0 && both[1].revents == 0;
}

void Connection::close() const { ::shutdown(socket_.get(), SHUT_RDWR); }

void Connection::finish(int seconds) {
  ::shutdown(socket_.get(), SHUT_WR);
  const Clock::time_point last = Clock::now() + std::chrono::seconds(seconds);
  std::vector<char> forgotten(64 * 1024);
  boost::system::error_code error;
  while (!error && Clock::now() < last) {
    set_patience(kFinishPatience);
    receive(forgotten.data(), forgotten.size(), error);
  }
}

bool Connection::is_closed() const {
  char next = 0;
  return ::recv(socket_.get(), &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

std::size_t Connection::receive(void* to, std::size_t most, boost::system::error_code& error) {
  error = {};
  if (most == 0) return 0;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0 ||
        !end_.wait_for(socket_.get(), POLLIN, static_cast<int>(left.count()))) {
      error = boost::asio::error::timed_out;
      return 0;
    }
    const ssize_t count = ::recv(socket_.get(), to, most, 0);
    if (count > 0) return static_cast<std::size_t>(count);
    if (count == 0) {
      error = boost::asio::error::eof;
      return 0;
    }
    if (errno != EINTR && errno != EAGAIN) {
      error = last_error();
      return 0;
    }
  }
}

std::size_t Connection::send(const void* from, std::size_t count,
                             boost::system::error_code& error) {
  error = {};
  // Sends as much as possible without waiting, even after the end: this may be the answer to the
  // request that has ended the service.
  for (;;) {
    const ssize_t sent = ::send(socket_.get(), from, count, MSG_NOSIGNAL);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EINTR) continue;
    if (errno != EAGAIN) {
      error = last_error();
      return 0;
    }
    if (!end_.wait_for(socket_.get(), POLLOUT, kSendPatience)) {
      error = boost::asio::error::timed_out;
      return 0;
    }
  }
}

Port::Port(const std::string& address, int number)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), number_(number) {
  if (!socket_.open()) refuse(address, number, reason());
  sockaddr_in endpoint{};
  endpoint.sin_family = AF_INET;
  endpoint.sin_port = htons(static_cast<std::uint16_t>(number));
  const std::string numbers = address == "localhost" ? "127.0.0.1" : address;
  if (::inet_pton(AF_INET, numbers.c_str(), &endpoint.sin_addr) != 1)
    refuse(address, number, "the address has the form 192.168.1.7, or 0.0.0.0 for all");
  const int yes = 1;  // allows opening a port that was in use a moment ago
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  auto* const raw = reinterpret_cast<sockaddr*>(&endpoint);
  socklen_t size = sizeof endpoint;
  if (::bind(socket_.get(), raw, size) != 0 || ::listen(socket_.get(), 64) != 0 ||
      ::getsockname(socket_.get(), raw, &size) != 0)
    refuse(address, number, reason());
  number_ = ntohs(endpoint.sin_port);
}

Descriptor Port::next(const EndOfService& end) const {
  while (end.wait_for(socket_.get(), POLLIN, -1)) {
    Descriptor connection(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (connection.open()) {
      const int yes = 1;  // makes the system send small answers at once
      ::setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      return connection;
    }
    // All file descriptors may be in use. Waits a little, because another connection may end soon.
    if (errno != EAGAIN && errno != EINTR) end.wait_for(-1, 0, 100);
  }
  return Descriptor(-1);
}

}  // namespace ballotcast::detail
