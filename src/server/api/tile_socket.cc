#include "server/api/tile_socket.h"

#include <fmt/format.h>

#include <list>
#include <mutex>
#include <utility>

#include "engine/rows.h"
#include "server/api/problem.h"
#include "server/api/tiles.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostUnsent = size_t{16} << 20;   // bytes of one client; tiles then wait
constexpr size_t kBetweenWaits = size_t{1} << 20;  // bytes after which the client is waited for

struct PartError {
  uint32_t node;
  Error error;
};

std::string done_json(uint32_t id, bool is_cancelled, std::span<const PartError> errors) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("op", "done").add("id", std::to_string(id));
  json.add("cancelled", is_cancelled).open_array("errors");
  for (const PartError& each : errors)
    json.open_object()
        .add("node", each.node)
        .add("code", problem_code(each.error.code).code)
        .add("detail", each.error.message)
        .close_object();
  json.close_array().close_object();
  return std::move(json).finish();
}

// Returns the trace that a message names, or null.
Result<std::shared_ptr<OpenTrace>> find_open(const Api& api, const JsonValue& message) {
  TB_TRY_ASSIGN(const int64_t id, message.member("trace").integer());
  return api.traces.find(static_cast<uint64_t>(id));
}

}  // namespace

struct TileSocket::Request {
  TilesBody body;
  std::shared_ptr<OpenTrace> trace;
  Stop stop;
};

// The requests that are not answered yet.
struct TileSocket::Requests {
  std::mutex mutex;
  std::list<std::shared_ptr<Request>> all;
};

TileSocket::TileSocket(std::shared_ptr<Api> api, std::shared_ptr<http::SocketSender> sender)
    : api_(std::move(api)),
      sender_(std::move(sender)),
      requests_(std::make_shared<Requests>()),
      tasks_(std::make_shared<PageTasks>(api_->pool)) {}

TileSocket::~TileSocket() {
  tasks_->close();
  const std::scoped_lock lock(requests_->mutex);
  for (const auto& request : requests_->all) request->stop.request();
}

Result<> TileSocket::tiles(const JsonValue& message) {
  const auto request = std::make_shared<Request>();
  TB_TRY_ASSIGN(request->body, parse_tiles(message));
  TB_TRY_ASSIGN(request->trace, find_open(*api_, message));
  if (request->trace == nullptr) {
    const PartError error{request->body.parts[0].node,
                          {ErrorCode::NotFound, "there is no such trace"}};
    sender_->send(done_json(request->body.id, false, {&error, 1}), true);
    return {};
  }
  {
    const std::scoped_lock lock(requests_->mutex);
    for (const auto& other : requests_->all)
      if (other->trace == request->trace && other->body.generation < request->body.generation)
        other->stop.request();
    requests_->all.push_back(request);
  }
  return submit(TaskClass::Tiles, [api = api_, sender = sender_, requests = requests_, request] {
    answer(*api, *sender, *request);
    const std::scoped_lock lock(requests->mutex);
    requests->all.remove(request);
  });
}

Result<> TileSocket::submit(TaskClass priority, std::function<void()> task) {
  if (tasks_->submit(priority, std::move(task))) return {};
  return fail(ErrorCode::Usage, "too many requests wait");
}

void TileSocket::answer(Api& api, http::SocketSender& sender, const Request& request) {
  const TilesBody& body = request.body;
  std::vector<PartError> errors;
  bool is_cancelled = request.stop.requested();
  size_t unchecked = kBetweenWaits;
  const auto send_part = [&](const TraceTimeline& timeline,
                             const TilesBody::Part& part) -> Result<> {
    TB_TRY_ASSIGN(std::string frame, make_part(api, timeline, body, part, request.stop));
    unchecked += frame.size();
    if (unchecked >= kBetweenWaits) {
      if (!sender.wait_until_sent(kMostUnsent))
        return fail(ErrorCode::Cancelled, "the client is gone");
      unchecked = 0;
    }
    if (request.stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    sender.send(std::move(frame), false);
    return {};
  };
  if (!is_cancelled) {
    const auto timeline = request.trace->timeline(api.options.timeline_memory);
    for (const TilesBody::Part& part : body.parts) {
      const Result<> sent =
          timeline ? send_part(**timeline, part) : tl::unexpected(timeline.error());
      if (sent) continue;
      is_cancelled = sent.error().code == ErrorCode::Cancelled;
      if (is_cancelled) break;
      errors.push_back({part.node, sent.error()});
    }
  }
  sender.send(done_json(body.id, is_cancelled, errors), true);
}

Result<> TileSocket::strings(const JsonValue& message) {
  TB_TRY_ASSIGN(const int64_t id, message.member("id").integer(0));
  TB_TRY_ASSIGN(const std::shared_ptr<OpenTrace> trace, find_open(*api_, message));
  return submit(TaskClass::Answers, [api = api_, sender = sender_, trace, message, id] {
    if (!sender->wait_until_sent(kMostUnsent)) return;  // the client is gone
    const auto answer = [&]() -> Result<std::string> {
      if (trace == nullptr) return fail(ErrorCode::NotFound, "there is no such trace");
      TB_TRY_ASSIGN(const auto timeline, trace->timeline(api->options.timeline_memory));
      return strings_json(*timeline, message, std::to_string(id));
    };
    Result<std::string> text = answer();
    if (text) return sender->send(*std::move(text), true);
    JsonText json(JsonText::kCompact);
    json.open_object().add("op", "strings").add("id", std::to_string(id));
    json.add_raw("error", problem_json(text.error())).close_object();
    sender->send(std::move(json).finish(), true);
  });
}

bool TileSocket::cancel(uint32_t id) {
  const std::scoped_lock lock(requests_->mutex);
  bool was_found = false;
  for (const auto& request : requests_->all)
    if (request->body.id == id) {
      request->stop.request();
      was_found = true;
    }
  return was_found;
}

}  // namespace tracebraid::api
