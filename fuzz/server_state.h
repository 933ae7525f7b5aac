// A server without traces, for the fuzzers of its decoders.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "server/api/api.h"

namespace tracebraid {

inline std::shared_ptr<api::Api> fuzzed_api() {
  ServeOptions options;
  options.query_timeout_s = 1;
  options.query_memory = uint64_t{16} << 20;
  options.max_queries = 1;
  ServeHost host;
  host.engine = *Engine::create({.threads = 1});
  auto api = std::make_shared<api::Api>(options, host, *api::Spool::create("/tmp", 16 << 20), 2, 1);
  api->connections = [] { return size_t{0}; };
  api->session = "fuzz";
  return api;
}

}  // namespace tracebraid
