// Limits of the connections of one Server.
#pragma once

#include <chrono>
#include <cstddef>

namespace tracebraid::http {

struct Limits {
  size_t connections = 256;
  size_t header = size_t{16} << 10;
  size_t bodies = size_t{256} << 20;  // of all requests that are being received, bytes
  std::chrono::seconds header_time{30}, idle_time{75};
  std::chrono::seconds piece_time{30};  // until a client sends or takes the next bytes
  std::chrono::seconds ping_time{15}, silence_time{45};  // of WebSockets
};

}  // namespace tracebraid::http
