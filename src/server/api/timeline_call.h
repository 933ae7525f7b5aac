// What the routes of the timeline share: finding the timeline and nodes, and writing events.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/rows.h"
#include "engine/timeline.h"
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"

namespace tracebraid::api {

using timeline::Timeline;

// Returns the timeline of the trace that the first id of the call names, or the answer if there is
// none. Waits while the timeline is made.
tl::expected<std::shared_ptr<const TraceTimeline>, http::Response> find_timeline(const Api& api,
                                                                                 const Call& call);

// Runs a function over the Timeline of the call that returns a Result of a JSON document.
template <class Work>
http::Response answer_with_timeline(const Api& api, const Call& call, Work work);

// Returns an integer of a body within bounds. Error Usage names the member.
Result<int64_t> bounded(const JsonValue& value, std::string_view name, int64_t low, int64_t high);

// Adds the members of an event: kind, row, node, line ...
void add_brief(JsonText& json, const timeline::EventBrief& brief);
// Adds an object with these members as `name`; null if there is no such event.
void add_event(JsonText& json, std::string_view name, const Timeline& timeline,
               timeline::TableKind kind, uint32_t row);
// Adds args of a set as an array: key, type and value, each cut at `most_text` bytes, and then with
// the size as `bytes`.
void add_args(JsonText& json, std::string_view name, const Store& store, OptRow arg_set,
              size_t offset, size_t limit, size_t most_text);
size_t count_args(const Store& store, OptRow arg_set);
// Returns the whole value of the first arg with a key, which is as in add_args().
std::optional<std::string> arg_text(const Store& store, OptRow arg_set, std::string_view key);
void add_bound(JsonText& json, std::string_view name, const timeline::TimeBound& bound);
void add_row(JsonText& json, std::string_view name, OptRow row);
// Adds a finite number, else null.
void add_real(JsonText& json, std::string_view name, double value);

template <class Work>
http::Response answer_with_timeline(const Api& api, const Call& call, Work work) {
  const auto found = find_timeline(api, call);
  if (!found) return found.error();
  Result<std::string> document = (*found)->run(
      [&](const Timeline& timeline) -> Result<std::string> { return work(timeline); });
  return document ? json_response(*std::move(document)) : problem(document.error());
}

}  // namespace tracebraid::api
