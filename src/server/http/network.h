// What the connections of one Server share. Includes Asio, but not Beast. For http/ only.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <memory>

#include "server/http/limits.h"
#include "server/http/message.h"

namespace tracebraid::http {

namespace asio = boost::asio;
using AsioError = boost::system::error_code;
using Clock = std::chrono::steady_clock;
using TcpSocket = asio::basic_stream_socket<asio::ip::tcp, asio::io_context::executor_type>;

// A connection in the list of its server. Network thread only.
class Listed {
 public:
  virtual ~Listed() = default;
  virtual void drop() = 0;  // closes at once
  // How readily the connection makes room for another one: 0 never, 1 idle between requests, 2 has
  // not sent a whole request yet.
  virtual int spare() const = 0;
  Clock::time_point since = Clock::now();  // of the state that spare() returns
};

struct Network {
  explicit Network(const Limits& with) : limits(with) {}

  const Limits limits;
  std::atomic<size_t> connections{0};
  size_t bodies = 0;  // bytes of bodies that are being received or answered
  std::list<std::weak_ptr<Listed>> listed;
  asio::io_context context{1};  // destroyed first, with the connections that its handlers own
};

// Counts a connection. The network outlives it.
class Counted {
 public:
  explicit Counted(Network& network) : network_(network) { ++network_.connections; }
  ~Counted() { --network_.connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Network& network_;
};

// Serves a socket that was accepted (http_connection.cc).
void serve_http(Network& network, TcpSocket socket, std::shared_ptr<Site> site);

}  // namespace tracebraid::http
