#include "server/api/pages.h"

#include <map>
#include <string>
#include <utility>

#include "base/words.h"
#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/status.h"
#include "server/api/tile_socket.h"

namespace tracebraid::api {
namespace {

constexpr uint16_t kMalformed = 1008, kGoingAway = 1001;
constexpr size_t kMostWatched = 1000;
constexpr unsigned kMostMessages = 1000;  // a second
constexpr int kTicksOfPing = 150;         // 15 s

std::string done_json(std::string_view id, bool is_cancelled) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("op", "done").add("id", id).add("cancelled", is_cancelled).close_object();
  return std::move(json).finish();
}

}  // namespace

class Pages::Page final : public http::SocketHandler {
 public:
  Page(std::shared_ptr<Api> api, std::shared_ptr<http::SocketSender> sender)
      : api_(std::move(api)),
        sender_(std::move(sender)),
        tiles_(std::make_unique<TileSocket>(api_, sender_)) {
    ++api_->pages;
  }
  ~Page() override { --api_->pages; }

  void on_message(std::string bytes, bool is_text) override;
  void on_closed() override {
    sender_ = nullptr;
    tiles_ = nullptr;
  }
  void tick();
  void send(std::string text) {
    if (sender_ != nullptr) sender_->send(std::move(text), true);
  }
  void close(uint16_t code, std::string_view reason) {
    if (sender_ != nullptr) sender_->close(code, std::string(reason));
  }

 private:
  Result<> take(const JsonValue& message);
  Result<> watch(const JsonValue& message, bool is_wanted);
  Result<> cancel(const JsonValue& message);

  const std::shared_ptr<Api> api_;
  std::shared_ptr<http::SocketSender> sender_;      // null: closed
  std::unique_ptr<TileSocket> tiles_;               // null: closed
  std::map<uint64_t, std::string> jobs_, queries_;  // watched, with the last message
  unsigned messages_ = 0;                           // since the last second
  int ticks_ = 0;
};

void Pages::Page::on_message(std::string bytes, bool is_text) {
  if (!is_text) return close(kMalformed, "binary messages are not understood");
  if (++messages_ > kMostMessages) return close(kMalformed, "too many messages");
  const Result<JsonValue> message = parse_json(bytes);
  if (!message) return close(kMalformed, message.error().message);
  if (const Result<> taken = take(*message); !taken)
    return close(kMalformed, taken.error().message);
  if (sender_ != nullptr) sender_->read_next();
}

Result<> Pages::Page::take(const JsonValue& message) {
  TB_TRY_ASSIGN(const std::string op, message.member("op").text());
  if (op == "watch" || op == "unwatch") return watch(message, op == "watch");
  if (op == "cancel") return cancel(message);
  if (tiles_ == nullptr) return {};
  if (op == "tiles") return tiles_->tiles(message);
  if (op == "strings") return tiles_->strings(message);
  if (op != "hello")
    return fail(ErrorCode::Usage, "op: not one of hello, tiles, strings, watch, unwatch, cancel");
  JsonText json(JsonText::kCompact);
  json.open_object().add("op", "welcome").add("session", api_->session);
  json.add_raw("limits", limits_json(*api_)).close_object();
  send(std::move(json).finish());
  return {};
}

Result<> Pages::Page::watch(const JsonValue& message, bool is_wanted) {
  for (auto& [name, watched] : {std::pair("job", &jobs_), std::pair("query", &queries_)}) {
    if (!message.member(name).is_given()) continue;
    TB_TRY_ASSIGN(const int64_t id, message.member(name).integer());
    if (!is_wanted) watched->erase(static_cast<uint64_t>(id));
    if (is_wanted && watched->size() < kMostWatched)
      watched->try_emplace(static_cast<uint64_t>(id));
  }
  return {};
}

Result<> Pages::Page::cancel(const JsonValue& message) {
  // Requests for tiles have numbers, which send their own "done"; queries have texts.
  if (message.member("id").kind() == JsonValue::Kind::Int) {
    TB_TRY_ASSIGN(const int64_t number, message.member("id").integer());
    const bool is_known = tiles_ != nullptr && number >= 0 && number <= UINT32_MAX &&
                          tiles_->cancel(static_cast<uint32_t>(number));
    if (!is_known) send(done_json(std::to_string(number), false));
    return {};
  }
  TB_TRY_ASSIGN(const std::string id, message.member("id").text());
  const std::optional<int64_t> number = parse_decimal(id);
  const auto query = api_->queries.find(static_cast<uint64_t>(number.value_or(0)));
  if (query != nullptr) query->stop->request();
  send(done_json(id, query != nullptr));
  return {};
}

void Pages::Page::tick() {
  if (++ticks_ % 10 == 0) messages_ = 0;
  if (ticks_ % kTicksOfPing == 0) send(R"({"op":"ping"})");
  const auto inform = [this](auto& watched, const auto& registry, std::string_view op) {
    for (auto at = watched.begin(); at != watched.end();) {
      const auto object = registry.find(at->first);
      // The state comes first, so that an ended object is described completely.
      const bool is_last = object == nullptr || has_ended(object->state());
      std::string text = object == nullptr ? std::string() : object->json(op);
      if (!text.empty() && text != at->second) send(at->second = std::move(text));
      at = is_last ? watched.erase(at) : std::next(at);
    }
  };
  inform(jobs_, api_->jobs, "job");
  inform(queries_, api_->queries, "query");
}

std::shared_ptr<http::SocketHandler> Pages::open(std::shared_ptr<http::SocketSender> sender) {
  auto page = std::make_shared<Page>(api_, std::move(sender));
  pages_.push_back(page);
  return page;
}

void Pages::tick() {
  std::erase_if(pages_, [](const std::weak_ptr<Page>& each) { return each.expired(); });
  if (pages_.empty()) return;
  std::string traces;
  for (const auto& trace : api_->traces.all()) traces += trace->json();
  const bool has_changed = traces != traces_;
  traces_ = std::move(traces);
  for (const std::weak_ptr<Page>& each : pages_) {
    const std::shared_ptr<Page> page = each.lock();
    if (page == nullptr) continue;
    page->tick();
    if (has_changed) page->send(R"({"op":"changed","what":"traces"})");
  }
}

void Pages::close(std::string_view reason) {
  JsonText bye(JsonText::kCompact);
  bye.open_object().add("op", "bye").add("reason", reason).close_object();
  const std::string text = std::move(bye).finish();
  for (const std::weak_ptr<Page>& each : pages_)
    if (const std::shared_ptr<Page> page = each.lock()) {
      page->send(text);
      page->close(kGoingAway, reason);
    }
}

}  // namespace tracebraid::api
