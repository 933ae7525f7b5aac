// What the host of a server decides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/options.h"

namespace tracebraid {

struct ServeOptions {
  std::vector<std::string> files;        // opened as one trace in the background
  TraceOptions trace;                    // of every opening; requests change some of them
  unsigned port = 0;                     // with `port_is_given`; 0: any free port
  bool port_is_given = false;            // otherwise 9440, or the next free port to 9459
  std::vector<std::string> listen;       // addresses; empty: 127.0.0.1 and ::1
  std::vector<std::string> allow_hosts;  // names of the Host header besides the addresses
  std::vector<std::string> roots;        // folders that clients may browse
  std::string spool;                     // folder of temporary files
  uint64_t spool_limit = uint64_t{20} << 30;
  unsigned query_timeout_s = 600;             // 0: none
  uint64_t query_memory = uint64_t{1} << 30;  // bytes a query; 0: no limit
  uint64_t timeline_memory = 0;               // of the index of a trace; 0: an eighth of the RAM
  unsigned max_queries = 0;                   // at once; 0: processors - 1
  unsigned max_traces = 8;
  unsigned idle_exit_minutes = 0;     // 0: never
  bool ends_after_last_page = false;  // 60 s after the last page was closed
  std::string state_folder;           // of settings and states; empty: none is kept
  std::string token;                  // empty: a new one

  bool has_rpc = false;                  // RPC over HTTP, on loopback only
  bool is_rpc_only = false;              // without the API and the viewer; with `has_rpc`
  unsigned rpc_port = 9001;              // 0: any free port
  std::string rpc_socket;                // path of a UNIX socket for RPC; empty: none
  std::vector<std::string> rpc_origins;  // of pages that may use RPC, as "http://localhost:8000"

  unsigned threads = 0;  // of the workers; 0: one a processor, at least 2
};

// Called before any trace is read.
struct ServeAddress {
  std::string url;  // "http://127.0.0.1:9440/"; empty if there is only RPC
  uint16_t port = 0, rpc_port = 0;
  std::string token;
  std::string code;  // logs in once, within 60 s, instead of the token
};

struct ServeHost {
  std::shared_ptr<const Engine> engine;
  std::function<void(const ServeAddress& address)> on_listening;
  std::function<void(std::string_view message)> warn;
  int stop_fd = -1;  // readable when the server shall end; borrowed
};

}  // namespace tracebraid
