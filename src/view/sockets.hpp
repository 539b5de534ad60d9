// Sockets with time limits. When their server ends, all operations on them end.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <string>

#include "support/files/files.hpp"

namespace ballotcast::detail {

/// Ends all waiting for sockets when the server ends.
class EndOfService {
 public:
  EndOfService();
  void begin() const;
  /// Waits until `socket` is ready for `events` (see poll), until the server ends, or for
  /// `milliseconds` (-1 for no limit). Returns true if the socket is ready.
  bool wait_for(int socket, short events, int milliseconds) const;

 private:
  const Descriptor event_;
};

/// A connection to a browser, with the functions that Boost.Beast needs for reading and writing.
class Connection {
 public:
  /// `socket` and `end` must outlive the connection.
  Connection(const Descriptor& socket, const EndOfService& end) : socket_(socket), end_(end) {}

  /// Sets a time limit for all following reads together, in milliseconds.
  void set_patience(int milliseconds) {
    deadline_ = Clock::now() + std::chrono::milliseconds(milliseconds);
  }

  /// Closes the connection. Threads that are reading or writing get an error.
  void close() const;

  /// Sends nothing more, and discards data until the browser has closed the connection or has sent
  /// nothing for two seconds, for `seconds` at most. Without this, if the connection is closed with
  /// unread data, the last answer may be lost (RFC 9112, 9.6).
  void finish(int seconds);

  /// True if the browser has closed the connection.
  bool is_closed() const;

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, boost::system::error_code& error) {
    const boost::asio::mutable_buffer first = *boost::asio::buffer_sequence_begin(buffers);
    return receive(first.data(), first.size(), error);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return checked([&](auto& error) { return read_some(buffers, error); });
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::system::error_code& error) {
    for (auto one = boost::asio::buffer_sequence_begin(buffers);
         one != boost::asio::buffer_sequence_end(buffers); ++one)
      if (const boost::asio::const_buffer bytes = *one; bytes.size() > 0)
        return send(bytes.data(), bytes.size(), error);
    error = {};
    return 0;
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return checked([&](auto& error) { return write_some(buffers, error); });
  }

 private:
  template <class Work>
  static std::size_t checked(const Work& work) {
    boost::system::error_code error;
    const std::size_t count = work(error);
    if (error) throw boost::system::system_error(error);
    return count;
  }
  std::size_t receive(void* to, std::size_t most, boost::system::error_code& error);
  std::size_t send(const void* from, std::size_t count, boost::system::error_code& error);

  using Clock = std::chrono::steady_clock;

  const Descriptor& socket_;
  const EndOfService& end_;
  Clock::time_point deadline_ = Clock::now();
};

/// A port of this computer that accepts connections.
class Port {
 public:
  /// Opens port `number` (0 for any free one) at `address`, an IPv4 address or localhost. Throws
  /// UsageError, which names both, if that fails.
  Port(const std::string& address, int number);

  int number() const { return number_; }
  /// Waits for the next connection and returns its socket. If the service has ended, the returned
  /// descriptor is not open.
  Descriptor next(const EndOfService& end) const;

 private:
  const Descriptor socket_;
  int number_;
};

}  // namespace ballotcast::detail
