#include "server/rpc/site.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "base/words.h"
#include "server/rpc/endpoints.h"
#include "server/rpc/stream.h"

namespace tracebraid::rpc {
namespace {

constexpr uint64_t kMostBody = uint64_t{64} << 20;
constexpr size_t kMostUnsent = size_t{4} << 20;  // of a stream
constexpr size_t kMostFrame = size_t{1} << 20;   // sent at once
constexpr size_t kMostInbox = 2;                 // pieces of a stream that wait for a worker

http::Response plain(unsigned status, std::string text) {
  return {.status = status,
          .type = "text/plain; charset=utf-8",
          .headers = {{"Cache-Control", "no-cache"}},
          .body = std::move(text),
          .close = true};
}

http::Plan refuse(unsigned status, std::string text) {
  http::Plan plan;
  plan.refusal = plain(status, std::move(text) + "\n");
  return plan;
}

// Returns whether a Host names this computer, with any port. A page of another site could otherwise
// reach the socket by a name of its own (DNS rebinding).
bool is_local(std::string_view host) {
  const bool is_v6 = host.starts_with('[');
  const size_t end = is_v6 ? host.find(']') : host.find(':');
  const std::string_view name = host.substr(0, is_v6 && end != host.npos ? end + 1 : end);
  const std::string_view port = host.substr(name.size());
  const bool has_fine_port =
      port.empty() || (port.size() > 1 && port[0] == ':' &&
                       std::ranges::all_of(port.substr(1), [](char c) { return is_digit(c); }));
  return has_fine_port && (name == "127.0.0.1" || name == "[::1]" ||
                           std::ranges::equal(name, std::string_view("localhost"), {}, lower_case));
}

std::vector<http::Header> headers_for(std::string_view origin) {
  std::vector<http::Header> headers = {{"Cache-Control", "no-cache"}};
  if (origin.empty()) return headers;
  headers.push_back({"Access-Control-Allow-Origin", std::string(origin)});
  headers.push_back({"Vary", "Origin"});
  return headers;
}

http::Response preflight(std::string_view origin) {
  http::Response response{.status = 204, .headers = headers_for(origin)};
  response.headers.push_back({"Access-Control-Allow-Methods", "POST, GET, OPTIONS"});
  response.headers.push_back({"Access-Control-Allow-Headers", "*"});
  response.headers.push_back({"Access-Control-Max-Age", "86400"});
  return response;
}

// Sends an answer. Runs its stream before it returns.
void respond(const http::Responder& responder, RpcAnswer answer, std::string_view origin) {
  http::Response response{.status = answer.status,
                          .type = std::string(answer.content_type),
                          .headers = headers_for(origin),
                          .body = std::move(answer.body),
                          .close = answer.closes};
  if (answer.stream)
    response.stream = [&answer](http::BodyWriter& out) {
      return answer.stream([&out](std::string_view bytes) { return out.write(bytes); });
    };
  responder.respond(std::move(response));
}

// One connection that is a stream of messages. Pieces that arrive wait for a worker, one at a time.
class StreamClient final : public http::SocketHandler,
                           public std::enable_shared_from_this<StreamClient> {
 public:
  StreamClient(std::shared_ptr<RpcService> service, TaskPool& pool,
               std::shared_ptr<http::SocketSender> sender)
      : service_(std::move(service)), pool_(pool), sender_(std::move(sender)), stream_(*service_) {}

  void on_message(std::string bytes, bool is_text) override;
  void on_closed() override { gone_->request(); }

 private:
  void run();
  std::optional<std::string> take();
  bool send(std::string_view bytes);

  const std::shared_ptr<RpcService> service_;
  TaskPool& pool_;
  const std::shared_ptr<http::SocketSender> sender_;  // owns this until it closes
  const std::shared_ptr<Stop> gone_ = std::make_shared<Stop>();
  RpcStream stream_;  // used by the worker of run() only
  std::mutex mutex_;  // guards the members below
  std::deque<std::string> inbox_;
  bool is_running_ = false, is_paused_ = false;
};

void StreamClient::on_message(std::string bytes, bool /*is_text*/) {
  bool starts = false, goes_on = false;
  {
    const std::scoped_lock lock(mutex_);
    inbox_.push_back(std::move(bytes));
    starts = !std::exchange(is_running_, true);
    // Reads on while a worker is busy, so that the end of a connection is seen.
    goes_on = inbox_.size() < kMostInbox;
    is_paused_ = !goes_on;
  }
  if (starts) pool_.submit(TaskClass::Sql, [me = shared_from_this()] { me->run(); });
  if (goes_on) sender_->read_next();
}

std::optional<std::string> StreamClient::take() {
  const std::scoped_lock lock(mutex_);
  if (inbox_.empty()) {
    is_running_ = false;
    return std::nullopt;
  }
  std::string bytes = std::move(inbox_.front());
  inbox_.pop_front();
  if (std::exchange(is_paused_, false)) sender_->read_next();
  return bytes;
}

void StreamClient::run() {
  while (const std::optional<std::string> bytes = take()) {
    const bool goes_on =
        stream_.feed(*bytes, [this](std::string_view part) { return send(part); }, gone_);
    if (goes_on) continue;
    gone_->request();
    sender_->close(1008, "the stream of messages ends");
    return;  // is_running_ stays: what arrives later is not read
  }
}

bool StreamClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMostFrame);
    bytes.remove_prefix(part.size());
    sender_->send(std::string(part), false);
    if (!sender_->wait_until_sent(kMostUnsent)) return false;
  }
  return !gone_->requested();
}

}  // namespace

http::MakeSocketHandler rpc_stream_handler(std::shared_ptr<RpcService> service, TaskPool& pool) {
  return [service = std::move(service), &pool](std::shared_ptr<http::SocketSender> sender) {
    return std::make_shared<StreamClient>(service, pool, std::move(sender));
  };
}

http::Response RpcSite::bad_request(unsigned status, std::string_view reason) {
  return plain(status, std::string(reason) + "\n");
}

http::Plan RpcSite::plan(const http::Request& request) {
  if (!is_local(request.header("host")))
    return refuse(403, "RPC serves the hosts localhost, 127.0.0.1 and [::1] only");
  std::string origin;
  if (request.has("origin")) {
    origin = request.header("origin");
    if (std::ranges::find(origins_, origin) == origins_.end())
      return refuse(403, "this origin may not use RPC; name it with --rpc-origin");
  } else if (request.header("sec-fetch-site") == "cross-site") {
    return refuse(403, "pages of other sites may not use RPC");
  }
  if (request.method == "OPTIONS") {
    http::Plan plan;
    plan.refusal = preflight(origin);
    return plan;
  }
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/websocket" && request.is_websocket) {
    http::Plan plan;
    plan.upgrade = rpc_stream_handler(service_, pool_);
    plan.most_frame = RpcStream::kMostMessageBytes + 64;
    return plan;
  }
  if (!is_endpoint(path))
    return refuse(404, path == "/websocket" ? "this is a WebSocket" : "there is no such endpoint");
  http::Plan plan;
  plan.most_body = kMostBody;
  plan.too_large = plain(413, "the body exceeds 64 MiB\n");
  plan.handle = [service = service_, &pool = pool_, path, origin](
                    const std::shared_ptr<const http::Request>& whole,
                    const http::Responder& responder) {
    const auto work = [service, path, origin, whole, responder] {
      respond(responder, answer(*service, path, whole->body, whole->gone), origin);
    };
    // These wait for nothing. A client that starts the program asks for its status until it comes.
    if (path == "/" || path == "/status") return work();
    pool.submit(TaskClass::Sql, work);
  };
  return plan;
}

}  // namespace tracebraid::rpc
