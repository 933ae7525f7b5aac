// Requests and responses of HTTP, and the interface between the network thread and the code that
// answers.
//
// Input: a Request, whole except for its body where a BodySink takes the body. Output: a Response.
// http/server.h calls a Site on the network thread; answers may come from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"

namespace tracebraid::http {

struct Header {
  std::string name, value;
};

struct Request {
  std::string method;           // "GET"
  std::string target;           // path and query as sent: "/api/v1/files?path=a%20b"
  std::vector<Header> headers;  // names in lower case
  std::string body;             // empty where a BodySink took the body
  uint64_t body_size = 0;       // bytes of the body, also of one that a BodySink took
  bool is_websocket = false;    // asks for an upgrade
  // Requested by the network thread when the client has closed the connection. Never null.
  std::shared_ptr<Stop> gone = std::make_shared<Stop>();

  // Returns the first value of a header; empty if there is none. `name` is in lower case.
  std::string_view header(std::string_view name) const;
  bool has(std::string_view name) const;
};

// Sends a body piece by piece. Used by one thread at a time, not by the network thread.
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;
  // Blocks while the client has not taken what was written before. Returns false if the client is
  // gone or reads nothing for too long; the caller then stops.
  virtual bool write(std::string_view bytes) = 0;
};

struct Response {
  unsigned status = 200;
  std::string type = {};  // Content-Type; empty: none
  std::vector<Header> headers = {};
  std::string body = {};
  std::string_view static_body = {};  // instead of `body`: bytes that live as long as the program
  // If set, called by the thread that responds, to write a body of unknown length in chunks. Return
  // false to close the connection without the last chunk, so that clients see an incomplete body.
  std::function<bool(BodyWriter& out)> stream = {};
  bool close = false;  // closes the connection afterwards
};

// The answer to one request. Copies share it. respond() is called exactly once, from any thread.
class Responder {
 public:
  class Connection {
   public:
    virtual ~Connection() = default;
    virtual void respond(Response response) = 0;
  };
  explicit Responder(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  // Runs response.stream before it returns. Requires for that: not on the network thread.
  void respond(Response response) const { connection_->respond(std::move(response)); }

 private:
  std::shared_ptr<Connection> connection_;
};

// Takes a body piece by piece instead of Request::body.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Takes the next bytes and calls `done`, from any thread, when it can take more. `done(refusal)`
  // with a response ends the request: the response is sent and the connection closed.
  virtual void add(std::string bytes, std::function<void(std::optional<Response>)> done) = 0;
};

// One client of a WebSocket, or of a stream socket. Any thread may use it.
class SocketSender {
 public:
  virtual ~SocketSender() = default;
  // Queues a message, a text frame or a binary one. Streams have no frames.
  virtual void send(std::string bytes, bool is_text) = 0;
  // Blocks until at most `most` bytes are unsent. Returns false if the client is gone or reads
  // nothing for too long. Requires: not on the network thread.
  virtual bool wait_until_sent(size_t most) = 0;
  // Allows the next SocketHandler::on_message(). Call once after each message.
  virtual void read_next() = 0;
  // Sends what is queued, then closes. WebSocket codes: 1008 policy, 1009 too large, 1001 going.
  virtual void close(uint16_t code, std::string reason) = 0;
};

// Receives the messages of one client, on the network thread, one at a time: the next one comes
// after SocketSender::read_next().
class SocketHandler {
 public:
  virtual ~SocketHandler() = default;
  virtual void on_message(std::string bytes, bool is_text) = 0;
  virtual void on_closed() = 0;
};
using MakeSocketHandler =
    std::function<std::shared_ptr<SocketHandler>(std::shared_ptr<SocketSender>)>;

// How a Site takes a request, decided by its head.
struct Plan {
  std::optional<Response> refusal = {};  // the answer, without reading the body
  uint64_t most_body = 0;                // a larger body is answered with `too_large`
  Response too_large = {.status = 413, .close = true};
  std::unique_ptr<BodySink> sink = {};  // takes the body instead of Request::body
  // Called on the network thread with the whole request.
  std::function<void(std::shared_ptr<const Request> request, Responder responder)> handle = {};
  // For an upgrade: what receives the messages, the frame limit, and the subprotocol to confirm.
  MakeSocketHandler upgrade = {};
  size_t most_frame = size_t{8} << 20;
  std::string subprotocol = {};
};

// What a listening socket serves. Called on the network thread only, so it must not block.
class Site {
 public:
  virtual ~Site() = default;
  // `request` has no body yet.
  virtual Plan plan(const Request& request) = 0;
  // Returns the answer to a request that is not HTTP, or whose head or body is too large.
  virtual Response bad_request(unsigned status, std::string_view reason) = 0;
};

}  // namespace tracebraid::http
