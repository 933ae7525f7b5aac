#include "server/serve.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "server/api/access.h"
#include "server/api/api.h"
#include "server/api/digest.h"
#include "server/api/opening.h"
#include "server/api/pages.h"
#include "server/api/site.h"
#include "server/http/server.h"
#include "server/serve_rpc.h"

namespace tracebraid {
namespace {

using api::Access;
using api::Api;
using api::ApiSite;
using api::Pages;

constexpr unsigned kFirstPort = 9440, kLastPort = 9459;
constexpr std::chrono::seconds kLastPageTime{60};

// Passes requests to a site that is made when the port is known.
struct LateSite final : http::Site {
  std::unique_ptr<ApiSite> site;
  http::Plan plan(const http::Request& request) override { return site->plan(request); }
  http::Response bad_request(unsigned status, std::string_view reason) override {
    return site->bad_request(status, reason);
  }
};

std::vector<std::string> addresses_of(const ServeOptions& options) {
  if (!options.listen.empty()) return options.listen;
  return {"127.0.0.1", "::1"};
}

// Listens on all addresses with one port. A system without IPv6 listens without ::1.
Result<uint16_t> listen_on(http::Server& server, const ServeOptions& options, uint16_t port,
                           const std::shared_ptr<LateSite>& site) {
  const std::vector<std::string> addresses = addresses_of(options);
  TB_TRY_ASSIGN(const uint16_t bound, server.listen(addresses[0], port, site));
  for (const std::string& address : std::span(addresses).subspan(1)) {
    const Result<uint16_t> other = server.listen(address, bound, site);
    if (!other && !options.listen.empty()) return other;
  }
  return bound;
}

Result<uint16_t> listen_on_free(http::Server& server, const ServeOptions& options,
                                const std::shared_ptr<LateSite>& site) {
  if (options.port_is_given)
    return listen_on(server, options, static_cast<uint16_t>(options.port), site);
  for (unsigned port = kFirstPort;; ++port) {
    Result<uint16_t> bound = listen_on(server, options, static_cast<uint16_t>(port), site);
    if (bound || bound.error().code != ErrorCode::Io || port == kLastPort) return bound;
  }
}

// Returns "ADDRESS:PORT", with the brackets of an IPv6 address.
std::string with_port(const std::string& address, uint16_t port) {
  const bool is_v6 = address.find(':') != address.npos;
  return is_v6 ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

std::vector<std::string> hosts_of(const ServeOptions& options, uint16_t port) {
  std::vector<std::string> hosts;
  std::vector<std::string> names = addresses_of(options);
  names.push_back("localhost");
  for (const std::string& name : names) hosts.push_back(with_port(name, port));
  for (const std::string& name : options.allow_hosts) {  // a reverse proxy has a port of its own
    hosts.push_back(name);
    hosts.push_back(fmt::format("{}:{}", name, port));
  }
  return hosts;
}

Result<std::vector<api::Root>> roots_of(const ServeOptions& options) {
  std::vector<api::Root> roots;
  for (const std::string& path : options.roots) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_directory(whole, error))
      return fail(ErrorCode::NotFound, fmt::format("--root: {}: no such folder", path));
    std::string name = whole.filename().empty() ? "/" : whole.filename().string();
    while (std::ranges::find(roots, name, &api::Root::name) != roots.end()) name += "'";
    roots.push_back({std::move(name), whole.string()});
  }
  return roots;
}

// A cookie stays valid when a server starts again with the token that --token-file keeps.
std::string cookie_of(const std::string& token) {
  return api::sha256_hex("cookie of tracebraid\n" + token);
}

std::string url_of(const ServeOptions& options, uint16_t port) {
  return fmt::format("http://{}/", with_port(addresses_of(options)[0], port));
}

uint64_t eighth_of_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) / 8
                               : uint64_t{1} << 30;
}

// Ends a server that nobody uses.
class Idle {
 public:
  Idle(const Api& api, http::Server& server) : api_(api), server_(server) {}

  void tick() {
    const auto now = api::Clock::now();
    if (api_.pages > 0 || server_.connections() > 0) used_ = now;
    had_page_ = had_page_ || api_.pages > 0;
    if (api_.pages > 0) page_ = now;
    const bool is_over =
        api_.options.ends_after_last_page && had_page_ && now - page_ > kLastPageTime;
    const std::chrono::minutes most(api_.options.idle_exit_minutes);
    if (is_over || (most.count() > 0 && now - used_ > most)) server_.stop();
  }

 private:
  const Api& api_;
  http::Server& server_;
  bool had_page_ = false;
  api::Clock::time_point used_ = api::Clock::now(), page_ = used_;
};

}  // namespace

Result<> serve(const ServeOptions& given, const ServeHost& host) {
  ServeOptions options = given;
  const unsigned cores =
      std::max(options.threads != 0 ? options.threads : std::thread::hardware_concurrency(), 1U);
  if (options.max_queries == 0) options.max_queries = std::max(cores, 2U) - 1;
  if (options.timeline_memory == 0) options.timeline_memory = eighth_of_memory();
  TB_TRY_ASSIGN(std::unique_ptr<Spool> spool, Spool::create(options.spool, options.spool_limit));
  TB_TRY_ASSIGN(std::vector<api::Root> roots, roots_of(options));
  TB_TRY_ASSIGN(std::string session, api::random_token());
  TB_TRY_ASSIGN(std::string code, api::random_token());
  if (options.token.empty()) {
    TB_TRY_ASSIGN(options.token, api::random_token());
  }

  http::Server server{http::Limits()};
  const auto site = std::make_shared<LateSite>();
  uint16_t port = 0;
  if (!options.is_rpc_only) {
    TB_TRY_ASSIGN(port, listen_on_free(server, options, site));
  }

  const auto state =
      std::make_shared<Api>(options, host, std::move(spool),
                            std::max({cores, 2U, options.max_queries + 1}), options.max_queries);
  // The tasks that run use the state and the sites.
  const std::unique_ptr<Api, void (*)(Api*)> joined(state.get(), [](Api* api) {
    api->stop();
    api->pool.join();
  });
  state->session = std::move(session);
  state->port = port;
  state->roots = std::move(roots);
  state->connections = [&server] { return server.connections(); };
  const auto access = std::make_shared<Access>(options.token, cookie_of(options.token), code, port,
                                               hosts_of(options, port));
  const auto pages = std::make_shared<Pages>(state);
  site->site = std::make_unique<ApiSite>(state, access, pages);
  TB_TRY_ASSIGN(const uint16_t rpc_port, serve_rpc(server, state));

  host.on_listening({.url = options.is_rpc_only ? "" : url_of(options, port),
                     .port = port,
                     .rpc_port = rpc_port,
                     .token = options.token,
                     .code = code});
  TB_TRY(open_files(*state));
  Idle idle(*state, server);
  server.every(std::chrono::milliseconds(100), [&] {
    pages->tick();
    state->tick();
  });
  server.every(std::chrono::seconds(1), [&] {
    state->tidy();
    idle.tick();
  });
  if (host.stop_fd >= 0)
    server.when_readable(host.stop_fd, [&] {
      pages->close("the server ends");
      state->stop();
      server.stop();
    });
  server.run();
  return {};
}

}  // namespace tracebraid
