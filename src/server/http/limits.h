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

}  // namespace tracebraid::http
