// Searches: POST /traces/{t}/search, GET and DELETE /traces/{t}/search/{s}, GET .../hits.
#include <fmt/format.h>

#include "base/cut_text.h"
#include "server/api/parameters.h"
#include "server/api/search_run.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostHits = 1'000'000, kMostPageHits = 1000;
constexpr size_t kMostSearches = 64;  // kept at once

constexpr std::string_view kBody =
    R"({"type":"object","required":["text"],"properties":{"text":{"type":"string"},"limit":{"type":"integer"}}})";
constexpr std::string_view kStartedSchema =
    R"({"type":"object","required":["search"],"properties":{"search":{"type":"string"}}})";
constexpr std::string_view kSearchSchema =
    R"({"type":"object","required":["search","state","hits","total","error"],"properties":{"search":{"type":"string"},"state":{"enum":["queued","running","done","failed","cancelled"]},"hits":{"type":"string"},"total":{"type":"string"},"elapsed_ms":{"type":"integer"},"error":{"type":["object","null"]}}})";
constexpr std::string_view kHitsSchema =
    R"({"type":"object","required":["total","offset","hits"],"properties":{"total":{"type":"string"},"offset":{"type":"integer"},"hits":{"type":"array","items":{"type":"object","required":["kind","row","node","ts","name","where"]}}}})";
constexpr std::string_view kTracksSchema =
    R"({"type":"object","required":["tracks"],"properties":{"tracks":{"type":"array","items":{"type":"integer"}}}})";

http::Response post_search(Api& api, const Call& call) {
  const auto over = find_timeline(api, call);
  if (!over) return over.error();
  const auto make = [&]() -> Result<std::shared_ptr<SearchRun>> {
    TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
    TB_TRY_ASSIGN(const std::string text, body.member("text").text());
    TB_TRY_ASSIGN(const int64_t limit, body.member("limit").integer(100'000));
    if (limit < 1 || limit > kMostHits)
      return fail(ErrorCode::Usage, fmt::format("limit: must be from 1 to {}", kMostHits));
    TB_TRY_ASSIGN(timeline::SearchQuery query, timeline::parse_search(text));
    return std::make_shared<SearchRun>(api.new_id(), call.id(0), *over, std::move(query),
                                       static_cast<size_t>(limit));
  };
  if (api.searches.size() >= kMostSearches)
    return problem(kRateLimited, fmt::format("{} searches are kept; delete one", kMostSearches));
  const Result<std::shared_ptr<SearchRun>> run = make();
  if (!run) return problem(run.error());
  api.searches.add((*run)->id, *run);
  api.pool.submit(TaskClass::Search, [run = *run] { run->run(); });
  JsonText json(JsonText::kCompact);
  json.open_object().add("search", std::to_string((*run)->id)).close_object();
  return json_response(std::move(json).finish(), 202);
}

// Returns the search that the second id names, of the trace of the first.
std::shared_ptr<SearchRun> find_search(const Api& api, const Call& call) {
  auto found = api.searches.find(call.id(1));
  return found != nullptr && found->trace == call.id(0) ? found : nullptr;
}

http::Response get_search(Api& api, const Call& call) {
  const auto found = find_search(api, call);
  return found == nullptr ? not_found("search", call.ids[1]) : json_response(found->json());
}

http::Response delete_search(Api& api, const Call& call) {
  const auto found = find_search(api, call);
  if (found == nullptr) return not_found("search", call.ids[1]);
  found->stop.request();
  api.searches.remove(found->id);
  return {.status = 204};
}

// Adds the titles of the process and the thread of an event, and its file, as far as it has them.
void add_place(JsonText& json, const Timeline& timeline, timeline::TableKind kind, uint32_t row) {
  const Store& store = timeline.store();
  const timeline::EventOwners owners = owners_of(timeline, kind, row);
  const auto add = [&json](std::string_view name, std::string_view title) {
    json.add(name, cut_text(title, 4096));
  };
  if (owners.upid.row != OptRow::kNull)
    add("process", timeline::process_title(store, owners.upid.row));
  if (owners.utid.row != OptRow::kNull)
    add("thread", timeline::thread_title(store, owners.utid.row));
  if (owners.file.row == OptRow::kNull) return;
  if (const StringId path = store.files.path[owners.file.row]) add("file", store.strings.get(path));
}

void add_hit(JsonText& json, const Timeline& timeline, const timeline::SearchHit& hit) {
  json.open_object();
  const auto brief = hit.kind ? brief_of(timeline, *hit.kind, hit.row) : std::nullopt;
  if (brief) {
    add_brief(json, *brief);
  } else {
    const timeline::TreeTrack& track = timeline.tracks()[hit.track];
    json.add("kind", "track").add("row", hit.track).add("node", hit.track).add("line", 0);
    json.add("name", cut_text(track.title, 4096)).add("category", "");
    json.add("ts", std::to_string(hit.ts)).add("dur", "0").add("end", std::to_string(track.last));
  }
  if (hit.kind) add_place(json, timeline, *hit.kind, hit.row);
  json.add("where", name_of(hit.field)).close_object();
}

Result<std::string> hits_json(const SearchRun& run, const Call& call) {
  TB_TRY_ASSIGN(const int64_t offset, number_parameter(call, "offset", 0, 0, INT64_MAX));
  TB_TRY_ASSIGN(const int64_t limit,
                number_parameter(call, "limit", kMostPageHits, 1, kMostPageHits));
  std::optional<int64_t> from;
  if (call.find("from") != nullptr) {
    TB_TRY_ASSIGN(from, number_parameter(call, "from", 0, INT64_MIN, INT64_MAX));
  }
  const SearchRun::Page page =
      run.page(static_cast<uint64_t>(offset), from, static_cast<size_t>(limit));
  return run.timeline->run([&](const Timeline& timeline) -> Result<std::string> {
    JsonText json(JsonText::kCompact);
    json.open_object().add("total", std::to_string(page.total)).add("offset", page.offset);
    json.open_array("hits");
    for (const timeline::SearchHit& hit : page.hits) add_hit(json, timeline, hit);
    json.close_array().close_object();
    return std::move(json).finish();
  });
}

http::Response get_tracks_with_hits(Api& api, const Call& call) {
  const auto found = find_search(api, call);
  if (found == nullptr) return not_found("search", call.ids[1]);
  JsonText json(JsonText::kCompact);
  json.open_object().open_array("tracks");
  for (const uint32_t track : found->tracks()) json.add({}, track);
  json.close_array().close_object();
  return json_response(std::move(json).finish());
}

http::Response get_hits(Api& api, const Call& call) {
  const auto found = find_search(api, call);
  if (found == nullptr) return not_found("search", call.ids[1]);
  Result<std::string> document = hits_json(*found, call);
  return document ? json_response(*std::move(document)) : problem(document.error());
}

}  // namespace

std::vector<Route> search_routes() {
  return {{.method = "POST",
           .path = "/traces/{t}/search",
           .about = "search a trace by a text and conditions",
           .answer = post_search,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kBody,
           .status = "202",
           .schema = kStartedSchema},
          {.method = "GET",
           .path = "/traces/{t}/search/{s}",
           .about = "the state of a search, and how many hits it has",
           .answer = get_search,
           .schema = kSearchSchema},
          {.method = "DELETE",
           .path = "/traces/{t}/search/{s}",
           .about = "end and drop a search",
           .answer = delete_search,
           .status = "204"},
          {.method = "GET",
           .path = "/traces/{t}/search/{s}/hits",
           .about = "hits of a search, in order of time once it is done",
           .answer = get_hits,
           .on = TaskClass::Answers,
           .parameters = {{"offset", "number of the first hit"},
                          {"limit", "hits of the answer: at most 1000"},
                          {"from", "instead of offset: the first hit at this time or later"}},
           .schema = kHitsSchema},
          {.method = "GET",
           .path = "/traces/{t}/search/{s}/tracks",
           .about = "the nodes of the tracks with hits of a search, each once",
           .answer = get_tracks_with_hits,
           .on = TaskClass::Answers,
           .schema = kTracksSchema}};
}

}  // namespace tracebraid::api
