// POST /traces/{t}/tiles and /strings, GET /traces/{t}/flows/categories.
#include "server/api/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/cut_text.h"
#include "server/api/search_run.h"

namespace tracebraid::api {
namespace {

constexpr int64_t kMostNumber = std::numeric_limits<uint32_t>::max();
constexpr size_t kMostWithout = 1000;

constexpr std::string_view kTilesSchema =
    R"({"type":"object","required":["level","tiles"],"properties":{"id":{"type":["integer","string"]},"generation":{"type":["integer","string"]},"level":{"type":"integer"},"tiles":{"type":"array","minItems":1,"items":{"type":"array","items":{"type":["integer","string"]}}},"mode":{"enum":["value","delta","rate","summary","flows","hits","category"]},"search":{"type":["integer","string"]},"without":{"type":"array","items":{"type":"string"}}}})";
constexpr std::string_view kCategoriesSchema =
    R"({"type":"object","required":["total","categories"],"properties":{"total":{"type":"integer"},"categories":{"type":"array","items":{"type":"object","required":["name","flows"],"properties":{"name":{"type":"string"},"flows":{"type":"string"}}}}}})";
constexpr std::string_view kStringsBody =
    R"({"type":"object","properties":{"ids":{"type":"array","items":{"type":["integer","string"]}},"threads":{"type":"array","items":{"type":["integer","string"]}}}})";
constexpr std::string_view kStringsSchema =
    R"({"type":"object","required":["texts","cut","threads"],"properties":{"texts":{"type":"array","items":{"type":["string","null"]}},"cut":{"type":"array","items":{"type":"integer"}},"threads":{"type":"array","items":{"type":["string","null"]}}}})";

http::Response post_tiles(Api& api, const Call& call) {
  const auto found = find_timeline(api, call);
  if (!found) return found.error();
  const auto make = [&]() -> Result<std::string> {
    TB_TRY_ASSIGN(const JsonValue json, parse_json(call.request->body));
    TB_TRY_ASSIGN(const TilesBody body, parse_tiles(json));
    std::string frames;
    for (const TilesBody::Part& part : body.parts) {
      TB_TRY_ASSIGN(const std::string frame,
                    make_part(api, **found, body, part, *call.request->gone));
      frames += frame;
    }
    return frames;
  };
  Result<std::string> frames = make();
  if (!frames) return problem(frames.error());
  return {.type = "application/octet-stream", .body = *std::move(frames)};
}

http::Response get_flow_categories(Api& api, const Call& call) {
  return answer_with_timeline(api, call, [](const Timeline& timeline) -> Result<std::string> {
    const Store& store = timeline.store();
    const auto all = timeline.flow_categories().all();
    JsonText json(JsonText::kCompact);
    json.open_object().add("total", all.size()).open_array("categories");
    for (const auto& [name, flows] : all.first(std::min(all.size(), kMostWithout)))
      json.open_object()
          .add("name", name ? store.strings.get(name) : std::string_view())
          .add("flows", std::to_string(flows))
          .close_object();
    json.close_array().close_object();
    return std::move(json).finish();
  });
}

http::Response post_strings(Api& api, const Call& call) {
  const auto found = find_timeline(api, call);
  if (!found) return found.error();
  const Result<JsonValue> body = parse_json(call.request->body);
  if (!body) return problem(body.error());
  Result<std::string> document = strings_json(**found, *body, {});
  return document ? json_response(*std::move(document)) : problem(document.error());
}

// Reads an array of at most kMostStrings numbers.
Result<std::vector<uint32_t>> numbers(const JsonValue& body, std::string_view name) {
  std::vector<uint32_t> all;
  const JsonValue list = body.member(name);
  if (!list.is_given()) return all;
  TB_TRY(list.require(JsonValue::Kind::Array));
  for (const JsonValue& element : list.elements()) {
    if (all.size() == kMostStrings)
      return fail(ErrorCode::Usage, fmt::format("{}: at most {}", name, kMostStrings));
    TB_TRY_ASSIGN(const int64_t number, bounded(element, name, 0, kMostNumber));
    all.push_back(static_cast<uint32_t>(number));
  }
  return all;
}

}  // namespace

Result<TilesBody> parse_tiles(const JsonValue& json) {
  TilesBody body;
  TB_TRY_ASSIGN(const int64_t id, json.member("id").integer(0));
  TB_TRY_ASSIGN(const int64_t generation, json.member("generation").integer(0));
  if (id < 0 || id > kMostNumber || generation < 0 || generation > kMostNumber)
    return fail(ErrorCode::Usage, "id, generation: must be below 2^32");
  body.id = static_cast<uint32_t>(id);
  body.generation = static_cast<uint32_t>(generation);
  TB_TRY_ASSIGN(const int64_t level,
                bounded(json.member("level"), "level", 0, int64_t{timeline::kMostLevel}));
  if (json.member("mode").is_given()) {
    TB_TRY_ASSIGN(const std::string mode, json.member("mode").text());
    body.mode = timeline::find_tile_mode(mode);
    if (!body.mode)
      return fail(ErrorCode::Usage,
                  "mode: must be value, delta, rate, summary, flows, hits or category");
  }
  TB_TRY_ASSIGN(const int64_t search, json.member("search").integer(0));
  body.search = static_cast<uint64_t>(std::max<int64_t>(search, 0));
  if (json.member("without").is_given()) {
    TB_TRY(json.member("without").require(JsonValue::Kind::Array));
    for (const JsonValue& element : json.member("without").elements()) {
      if (body.without.size() == kMostWithout)
        return fail(ErrorCode::Usage, fmt::format("without: at most {}", kMostWithout));
      TB_TRY_ASSIGN(std::string category, element.text());
      body.without.push_back(std::move(category));
    }
  }
  TB_TRY(json.member("tiles").require(JsonValue::Kind::Array));
  int64_t tiles = 0;
  for (const JsonValue& element : json.member("tiles").elements()) {
    TB_TRY(element.require(JsonValue::Kind::Array));
    const std::vector<JsonValue> triple = element.elements();
    if (triple.size() != 3)
      return fail(ErrorCode::Usage, "tiles: each element is [node, first tile, count]");
    TB_TRY_ASSIGN(const int64_t node, bounded(triple[0], "tiles: node", 0, kMostNumber));
    TB_TRY_ASSIGN(const int64_t first, triple[1].integer());
    TB_TRY_ASSIGN(const int64_t count,
                  bounded(triple[2], "tiles: count", 1, int64_t{timeline::kMostTiles}));
    tiles += count;
    if (tiles > timeline::kMostTiles)
      return fail(ErrorCode::Usage,
                  fmt::format("tiles: at most {} of one request", timeline::kMostTiles));
    body.parts.push_back({static_cast<uint32_t>(node),
                          {static_cast<unsigned>(level), first, static_cast<uint32_t>(count)}});
  }
  if (body.parts.empty()) return fail(ErrorCode::Usage, "tiles: must not be empty");
  return body;
}

Result<std::string> make_part(const Api& api, const TraceTimeline& timeline, const TilesBody& body,
                              const TilesBody::Part& part, const Stop& stop) {
  timeline::TileRequest request{.request = body.id,
                                .generation = body.generation,
                                .node = part.node,
                                .range = part.range,
                                .mode = body.mode,
                                .without = body.without};
  std::shared_ptr<const std::vector<timeline::HitTime>> hits;
  if (body.mode == timeline::TileMode::Hits) {
    const auto search = api.searches.find(body.search);
    if (search == nullptr || &search->timeline->get() != &timeline.get())
      return fail(ErrorCode::NotFound, fmt::format("there is no search '{}'", body.search));
    hits = search->hit_times();
    request.hits = *hits;
  }
  return timeline.run([&](const Timeline& of) { return make_tiles(of, request, stop); });
}

Result<std::string> strings_json(const TraceTimeline& timeline, const JsonValue& body,
                                 std::string_view id) {
  TB_TRY_ASSIGN(const std::vector<uint32_t> ids, numbers(body, "ids"));
  TB_TRY_ASSIGN(const std::vector<uint32_t> threads, numbers(body, "threads"));
  JsonText json(JsonText::kCompact);
  json.open_object();
  if (!id.empty()) json.add("op", "strings").add("id", id);
  std::vector<uint32_t> cut_ids;
  json.open_array("texts");
  for (const uint32_t string : ids) {
    if (string >= timeline.number_of_strings()) {
      json.add_raw({}, "null");
      continue;
    }
    const auto [text, is_cut] = timeline.text(string);
    json.add({}, text);
    if (is_cut) cut_ids.push_back(string);
  }
  json.close_array().open_array("cut");
  for (const uint32_t string : cut_ids) json.add({}, string);
  json.close_array().open_array("threads");
  const Store& store = timeline.get().store();
  for (const uint32_t utid : threads) {
    if (utid >= store.threads.rows())
      json.add_raw({}, "null");
    else
      json.add({}, cut_text(fmt::format("{} {}", timeline::thread_title(store, utid),
                                        store.threads.tid[utid]),
                            1024));
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

std::vector<Route> tile_routes() {
  return {{.method = "POST",
           .path = "/traces/{t}/tiles",
           .about = "frames of tiles, one behind the other; see timeline-wire.md",
           .answer = post_tiles,
           .on = TaskClass::Tiles,
           .most_body = kMostJson,
           .body = kTilesSchema,
           .type = "application/octet-stream"},
          {.method = "GET",
           .path = "/traces/{t}/flows/categories",
           .about = "categories of flows, those with most flows first, at most 1000",
           .answer = get_flow_categories,
           .on = TaskClass::Answers,
           .schema = kCategoriesSchema},
          {.method = "POST",
           .path = "/traces/{t}/strings",
           .about = "texts of strings by their ids, and names of threads",
           .answer = post_strings,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kStringsBody,
           .schema = kStringsSchema}};
}

}  // namespace tracebraid::api
