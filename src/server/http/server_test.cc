// Connections whose clients fall silent end after the limits: half-open ones, of which no packet
// tells that the client is gone, cannot be distinguished from slow ones.
#include "server/http/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <thread>

namespace tracebraid::http {
namespace {

class SilentPage final : public SocketHandler {
 public:
  void on_message(std::string /*bytes*/, bool /*is_text*/) override {}
  void on_closed() override {}
};

class OkSite final : public Site {
 public:
  Plan plan(const Request& request) override {
    Plan plan;
    plan.most_body = 1000;
    if (request.is_websocket)
      plan.upgrade = [](const std::shared_ptr<SocketSender>&) {
        return std::make_shared<SilentPage>();
      };
    plan.handle = [](const std::shared_ptr<const Request>&, const Responder& responder) {
      responder.respond({.body = "ok"});
    };
    return plan;
  }
  Response bad_request(unsigned status, std::string_view /*reason*/) override {
    return {.status = status, .close = true};
  }
};

struct Running {
  static Limits limits() {
    Limits short_ones;
    short_ones.header_time = short_ones.idle_time = short_ones.piece_time = std::chrono::seconds(1);
    short_ones.ping_time = std::chrono::seconds(1);
    short_ones.silence_time = std::chrono::seconds(6);
    return short_ones;
  }
  Server server{limits()};
  uint16_t port = server.listen("127.0.0.1", 0, std::make_shared<OkSite>()).value();
  std::thread thread{[this] { server.run(); }};
  ~Running() {
    server.stop();
    thread.join();
  }
};

struct Client {
  explicit Client(uint16_t port) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(fd); }

  void send(std::string_view bytes) const {
    EXPECT_EQ(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL), ssize_t(bytes.size()));
  }
  // Returns the next bytes; empty if the server has closed the connection.
  std::string receive() const {
    char buffer[4096];
    const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
    return {buffer, got > 0 ? size_t(got) : 0};
  }
  // Returns all bytes until the server closes the connection.
  std::string receive_all() const {
    std::string all;
    for (std::string piece = receive(); !piece.empty(); piece = receive()) all += piece;
    return all;
  }

  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

constexpr std::string_view kUpgrade =
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

TEST(SilentClients, AreClosedInEachStateOfARequest) {
  const Running running;
  // Nothing, a part of a head, a part of a body, and nothing behind an answer.
  const std::string_view sent[] = {"", "GET / HT",
                                   "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab",
                                   "GET / HTTP/1.1\r\nHost: a\r\n\r\n"};
  std::vector<std::unique_ptr<Client>> clients;
  for (const std::string_view bytes : sent) {
    clients.push_back(std::make_unique<Client>(running.port));
    if (!bytes.empty()) clients.back()->send(bytes);
  }
  const std::string answer = clients.back()->receive_all();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok")) << answer;
  for (const auto& client : clients) client->receive_all();
  while (running.server.connections() > 0) std::this_thread::yield();
}

TEST(SilentClients, OfWebSocketsAreClosedUnlessTheyAnswerPings) {
  const Running running;
  const Client silent(running.port), alive(running.port);
  silent.send(kUpgrade);
  alive.send(kUpgrade);
  std::atomic<bool> is_silent_closed = false;
  std::thread answering([&] {
    EXPECT_TRUE(alive.receive().starts_with("HTTP/1.1 101"));
    while (!is_silent_closed) {
      const std::string frames = alive.receive();  // pings without data
      ASSERT_FALSE(frames.empty()) << "the server closed a client that answers";
      EXPECT_EQ(frames.substr(0, 2), std::string("\x89\0", 2));
      alive.send({"\x8a\x80\0\0\0\0", 6});
    }
  });
  EXPECT_TRUE(silent.receive_all().starts_with("HTTP/1.1 101"));
  is_silent_closed = true;
  answering.join();
  // The server counts a connection until its handlers have ended.
  while (running.server.connections() > 1) std::this_thread::yield();
}

}  // namespace
}  // namespace tracebraid::http
