// Server: the sockets, and the one thread that serves them.
//
// Input: a Site for each listening socket. Output: the answers of the sites, over HTTP/1.1,
// WebSockets and stream sockets. Called by server/serve.cc.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "server/http/limits.h"
#include "server/http/message.h"

namespace tracebraid::http {

// All functions except stop(), post() and connections() are called by the thread that calls run(),
// or before it.
class Server {
 public:
  explicit Server(const Limits& limits);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Listens on an address, such as "127.0.0.1", and returns the port: a free one if `port` is 0.
  // Error Io, also if another program listens there.
  Result<uint16_t> listen(const std::string& address, uint16_t port, std::shared_ptr<Site> site);
  // Listens on a new UNIX socket with mode 0600, which the destructor removes. Replaces a socket on
  // which nothing listens. Error Io.
  Result<> listen_unix(const std::string& path, MakeSocketHandler make);

  // Serves until stop(). Then closes all connections.
  void run();
  void stop();
  // Runs `task` on the network thread.
  void post(std::function<void()> task);
  // Calls `tick` on the network thread again and again, after this time each.
  void every(std::chrono::milliseconds period, std::function<void()> tick);
  // Calls `then` on the network thread when the descriptor, which is borrowed, becomes readable.
  void when_readable(int fd, std::function<void()> then);

  size_t connections() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tracebraid::http
