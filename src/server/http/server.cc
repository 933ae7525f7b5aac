// Listening sockets: accepts connections and limits their number.
#include "server/http/server.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <utility>

#include "server/http/network.h"
#include "server/http/stream_socket.h"

namespace tracebraid::http {
namespace {

using asio::ip::tcp;
using Acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;
using LocalAcceptor =
    asio::basic_socket_acceptor<asio::local::stream_protocol, asio::io_context::executor_type>;

struct Listener {
  Acceptor acceptor;
  std::shared_ptr<Site> site;
};
struct LocalListener {
  LocalAcceptor acceptor;
  MakeSocketHandler make;
  std::string path;
};
struct Ticker {
  asio::steady_timer timer;
  std::chrono::milliseconds period;
  std::function<void()> tick;
};
struct Watched {
  asio::posix::stream_descriptor descriptor;
  std::function<void()> then;
};

// After accept() fails, such as without free descriptors.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

struct Server::Impl {
  explicit Impl(const Limits& limits) : network(limits) {}

  Network network;
  std::deque<Listener> listeners;
  std::deque<LocalListener> local_listeners;
  std::deque<Ticker> tickers;
  std::deque<Watched> watched;
  asio::steady_timer pause{network.context};
  bool has_stopped = false;

  template <class OneListener>
  void accept(OneListener& listener);
  void serve(Listener& listener, TcpSocket socket) {
    serve_http(network, std::move(socket), listener.site);
  }
  void serve(LocalListener& listener, LocalSocket socket) {
    serve_stream(network, std::move(socket), listener.make);
  }
  bool make_room();
  void tick(Ticker& ticker);
};

Server::Server(const Limits& limits) : impl_(std::make_unique<Impl>(limits)) {}

Server::~Server() {
  for (const LocalListener& listener : impl_->local_listeners) ::unlink(listener.path.c_str());
}

// Drops the connection that has been waiting longest for a request, if there are too many: first of
// those that have not sent one yet, because a client can keep these open on purpose.
bool Server::Impl::make_room() {
  network.listed.remove_if([](const std::weak_ptr<Listed>& each) { return each.expired(); });
  if (network.connections < network.limits.connections) return true;
  std::shared_ptr<Listed> spared;
  for (const std::weak_ptr<Listed>& each : network.listed) {
    const std::shared_ptr<Listed> other = each.lock();
    if (other == nullptr || other->spare() == 0) continue;
    if (spared == nullptr || other->spare() > spared->spare() ||
        (other->spare() == spared->spare() && other->since < spared->since))
      spared = other;
  }
  if (spared == nullptr) return false;
  spared->drop();
  return true;
}

template <class OneListener>
void Server::Impl::accept(OneListener& listener) {
  listener.acceptor.async_accept(network.context, [this, &listener](AsioError error, auto socket) {
    if (has_stopped || error == asio::error::operation_aborted) return;
    if (error) {
      pause.expires_after(kPause);
      pause.async_wait([this, &listener](AsioError) {
        if (!has_stopped) accept(listener);
      });
      return;
    }
    if (make_room()) serve(listener, std::move(socket));
    accept(listener);
  });
}

Result<uint16_t> Server::listen(const std::string& address, uint16_t port,
                                std::shared_ptr<Site> site) {
  AsioError error;
  const asio::ip::address ip = asio::ip::make_address(address, error);
  if (error) return fail(ErrorCode::Usage, fmt::format("{}: not an IP address", address));
  Acceptor acceptor(impl_->network.context);
  const tcp::endpoint endpoint(ip, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && ip.is_v6()) acceptor.set_option(asio::ip::v6_only(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error == asio::error::address_in_use)
    return fail(ErrorCode::Io,
                fmt::format("port {} of {} is taken by another program", port, address));
  if (error)
    return fail(ErrorCode::Io,
                fmt::format("cannot listen on port {} of {}: {}", port, address, error.message()));
  const uint16_t bound = acceptor.local_endpoint(error).port();
  impl_->accept(impl_->listeners.emplace_back(Listener{std::move(acceptor), std::move(site)}));
  return bound;
}

Result<> Server::listen_unix(const std::string& path, MakeSocketHandler make) {
  if (path.size() >= sizeof(sockaddr_un{}.sun_path))
    return fail(ErrorCode::Usage, fmt::format("{}: the path of a socket is too long", path));
  const asio::local::stream_protocol::endpoint endpoint(path);
  AsioError error;
  LocalSocket probe(impl_->network.context);
  probe.connect(endpoint, error);
  if (!error) return fail(ErrorCode::Usage, fmt::format("{}: another program listens here", path));
  if (error == asio::error::connection_refused) ::unlink(path.c_str());
  LocalAcceptor acceptor(impl_->network.context);
  acceptor.open(endpoint.protocol(), error);
  // No client can connect before listen(), so that the mode is set in time.
  if (!error) acceptor.bind(endpoint, error);
  if (!error && ::chmod(path.c_str(), 0600) != 0)
    error = AsioError(errno, boost::system::system_category());
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return fail(ErrorCode::Io, fmt::format("{}: cannot listen: {}", path, error.message()));
  impl_->accept(impl_->local_listeners.emplace_back(
      LocalListener{std::move(acceptor), std::move(make), path}));
  return {};
}

void Server::run() {
  impl_->network.context.run();
  for (const std::weak_ptr<Listed>& each : impl_->network.listed)
    if (const std::shared_ptr<Listed> connection = each.lock()) connection->drop();
  impl_->network.context.restart();
  impl_->network.context.poll();
}

void Server::stop() {
  post([this] {
    impl_->has_stopped = true;
    AsioError ignored;
    for (Listener& each : impl_->listeners) each.acceptor.close(ignored);
    for (LocalListener& each : impl_->local_listeners) each.acceptor.close(ignored);
    for (Ticker& each : impl_->tickers) each.timer.cancel();
    impl_->network.context.stop();
  });
}

void Server::post(std::function<void()> task) {
  asio::post(impl_->network.context, std::move(task));
}

void Server::Impl::tick(Ticker& ticker) {
  ticker.timer.expires_after(ticker.period);
  ticker.timer.async_wait([this, &ticker](AsioError error) {
    if (error || has_stopped) return;
    ticker.tick();
    tick(ticker);
  });
}

void Server::every(std::chrono::milliseconds period, std::function<void()> tick) {
  impl_->tick(impl_->tickers.emplace_back(
      Ticker{asio::steady_timer(impl_->network.context), period, std::move(tick)}));
}

void Server::when_readable(int fd, std::function<void()> then) {
  Watched& watched = impl_->watched.emplace_back(
      Watched{asio::posix::stream_descriptor(impl_->network.context, ::dup(fd)), std::move(then)});
  watched.descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                [&watched](AsioError error) {
                                  if (!error) watched.then();
                                });
}

size_t Server::connections() const { return impl_->network.connections; }

}  // namespace tracebraid::http
