#include "engine/functions/order_functions.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "base/cut_text.h"
#include "engine/event_order.h"
#include "engine/rows.h"
#include "engine/timeline_tables.h"
#include "query/functions/text_result.h"
#include "timeline/timeline.h"

namespace tracebraid {
namespace {

using timeline::TableKind;
using timeline::Timeline;

constexpr uint64_t kColumnMemory = uint64_t{16} << 20;  // bytes

Result<EventKey> event_key(const Timeline& timeline, std::string_view kind_name, int64_t row) {
  const std::optional<TableKind> kind = timeline::find_table_kind(kind_name);
  if (!kind)
    return fail(ErrorCode::Sql, fmt::format("event_order: there is no kind of events named '{}'",
                                            cut_text(kind_name, 100)));
  if (row < 0 || static_cast<uint64_t>(row) >= timeline.table(*kind).keys.rows)
    return fail(ErrorCode::NotFound, "");
  return EventKey{*kind, static_cast<uint32_t>(row)};
}

void add_reading(JsonText& json, std::string_view name, const std::optional<EventReading>& event) {
  if (!event) {
    json.add_raw(name, "null");
    return;
  }
  json.open_object(name).add("clock", event->label).add("reading_ns", event->reading_ns);
  json.close_object();
}

std::string order_text(const EventOrder& order) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("order", name_of(order.order)).add("reason", name_of(order.reason));
  json.add("gap_ns", order.gap_ns).add("bound_ns", order.bound_ns);
  json.add("at_most", order.is_at_most).add("contradicted", order.is_contradicted);
  add_reading(json, "a", order.first);
  add_reading(json, "b", order.second);
  json.close_object();
  return std::move(json).finish();
}

}  // namespace

struct OrderSource::State {
  const Store& store;
  const unsigned threads;
  const std::function<Result<>(std::string_view table)> verify;
  const EventOrders orders;
  std::mutex mutex;  // guards the next member while it is made
  std::optional<Timeline> timeline;
};

OrderSource::OrderSource(const Store& store, std::shared_ptr<const MergedClocks> clocks,
                         unsigned threads, std::function<Result<>(std::string_view table)> verify)
    : state_(new State{store, threads, std::move(verify), EventOrders(std::move(clocks)), {}, {}}) {
}

OrderSource::~OrderSource() = default;

Result<> OrderSource::prepare() {
  const std::scoped_lock lock(state_->mutex);
  if (state_->timeline) return {};
  if (state_->verify) TB_TRY(verify_timeline_tables(state_->verify));
  std::optional<Timeline>& made = state_->timeline;
  made.emplace(state_->store, timeline::TimelineOptions{.threads = state_->threads,
                                                        .memory = kColumnMemory,
                                                        .answers = 0,
                                                        .verify = state_->verify});
  Result<> prepared = made->prepare(Stop());
  if (!prepared) made.reset();
  return prepared;
}

Result<std::string> OrderSource::order(std::string_view kind_a, int64_t row_a,
                                       std::string_view kind_b, int64_t row_b) {
  TB_TRY(prepare());
  const Timeline& timeline = *state_->timeline;
  TB_TRY_ASSIGN(const EventKey a, event_key(timeline, kind_a, row_a));
  TB_TRY_ASSIGN(const EventKey b, event_key(timeline, kind_b, row_b));
  TB_TRY_ASSIGN(const EventOrder order, state_->orders.order(timeline, a, b));
  return order_text(order);
}

std::vector<SqlFunction> order_functions(std::shared_ptr<OrderSource> source) {
  const auto order = [source = std::move(source)](std::span<const Cell> arguments) -> MaybeText {
    using Kind = Cell::Kind;
    for (const Cell& argument : arguments)
      if (argument.kind == Kind::Null) return std::nullopt;
    if (arguments[0].kind != Kind::Text || arguments[2].kind != Kind::Text)
      return fail(ErrorCode::Sql, "event_order: a kind is the name of a table, such as 'slice'");
    if (arguments[1].kind != Kind::Int || arguments[3].kind != Kind::Int)
      return fail(ErrorCode::Sql, "event_order: an id is a number");
    if (source == nullptr) return std::nullopt;
    Result<std::string> text = source->order(arguments[0].text, arguments[1].integer,
                                             arguments[2].text, arguments[3].integer);
    if (text) return *std::move(text);
    if (text.error().code == ErrorCode::NotFound) return std::nullopt;
    return tl::unexpected(std::move(text).error());
  };
  return {{"event_order(kind_a STRING, id_a LONG, kind_b STRING, id_b LONG) STRING",
           "Which of two events began first, as JSON: order (before, after, same, undecided or "
           "not_known), reason (clock, flow or bounds), gap_ns (start of the second minus start of "
           "the first), bound_ns (its largest error), at_most (several clocks are possible), "
           "contradicted (the clocks are against the flow), and the readings a and b. A kind is "
           "slice, counter, sched, thread_state, log, ftrace and others. NULL if there is no such "
           "event.",
           returns_text(order)}};
}

}  // namespace tracebraid
