// Sends any bytes to the server's own port: as they are, or behind the first headers of a request
// that has the token, so that they reach the routes and the decoders of JSON bodies.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "base/assert.h"
#include "fuzz/server_state.h"
#include "server/api/access.h"
#include "server/api/pages.h"
#include "server/api/site.h"
#include "server/http/server.h"

namespace {

using namespace tracebraid;

struct Running {
  http::Server server{http::Limits()};
  uint16_t port = 0;

  Running() {
    const std::shared_ptr<api::Api> api = fuzzed_api();
    const auto access = std::make_shared<api::Access>("token", "cookie", "code", 1,
                                                      std::vector<std::string>{"localhost"});
    const auto pages = std::make_shared<api::Pages>(api);
    port = *server.listen("127.0.0.1", 0, std::make_shared<api::ApiSite>(api, access, pages));
    server.every(std::chrono::milliseconds(100), [api, pages] {
      api->tick();
      api->tidy();
      pages->tick();
    });
    std::thread([this] { server.run(); }).detach();
  }
};

// Sends bytes over a connection of their own, and reads what the server answers.
void send_all(uint16_t port, std::string_view bytes) {
  const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval limit{.tv_sec = 3};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  TB_ASSERT(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  std::ignore = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  ::shutdown(client, SHUT_WR);
  char buffer[4096];
  while (::recv(client, buffer, sizeof buffer, 0) > 0) {
  }
  const linger reset{.l_onoff = 1, .l_linger = 0};  // keeps no port busy
  ::setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  ::close(client);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Running* const kRunning = new Running;  // lives as long as the process
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t line = bytes.find('\n');
  if (line == bytes.npos || size == 0 || bytes[0] == '!') {
    send_all(kRunning->port, bytes);
    return 0;
  }
  // "POST /traces", then the body.
  std::string_view start = bytes.substr(0, line);
  const std::string_view body = bytes.substr(line + 1);
  const size_t blank = std::min(start.find(' '), start.size());
  std::string request(start.substr(0, blank));
  request += " /api/v1";
  request += start.substr(std::min(blank + 1, start.size()));
  request +=
      " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nConnection: close\r\n"
      "Content-Type: application/json\r\nContent-Length: ";
  request += std::to_string(body.size()) + "\r\n\r\n";
  request += body;
  send_all(kRunning->port, request);
  return 0;
}
