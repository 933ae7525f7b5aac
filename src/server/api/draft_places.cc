// What relates the files of a draft, GET /drafts/{d}/files, and where a file may belong:
// POST /drafts/{d}/snap, /nearest and /suggest.
#include <utility>

#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/json_members.h"
#include "server/api/open_draft.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/timeline_call.h"

namespace tracebraid::api {
namespace {

constexpr std::string_view kSnapBody =
    R"({"type":"object","required":["file","by_ns","reach_ns"],"properties":{"file":{"type":"integer"},"by_ns":{"type":"string"},"reach_ns":{"type":"string"},"marks":{"type":"array","maxItems":64,"items":{"type":"string"}}}})";
constexpr std::string_view kSnapSchema =
    R"({"type":"object","required":["version","by_ns","to"],"properties":{"version":{"type":"string"},"by_ns":{"type":"string"},"to":{"type":["object","null"],"required":["file","path","kind","ts"],"properties":{"file":{"type":"integer"},"path":{"type":"string"},"kind":{"enum":["start","end","event"]},"ts":{"type":"string"}}}}})";
constexpr std::string_view kNearestBody =
    R"({"type":"object","required":["file","ts","reach_ns"],"properties":{"file":{"type":"integer"},"ts":{"type":"string"},"reach_ns":{"type":"string"}}})";
constexpr std::string_view kNearestSchema =
    R"({"type":"object","required":["version","event"],"properties":{"version":{"type":"string"},"event":{"type":["object","null"],"required":["ts","reading_ns","clock"],"properties":{"ts":{"type":"string"},"reading_ns":{"type":"string"},"clock":{"type":["string","null"]}}}}})";
constexpr std::string_view kSuggestBody =
    R"({"type":"object","required":["file"],"properties":{"file":{"type":"integer"}}})";
constexpr std::string_view kSuggestSchema =
    R"({"type":"object","required":["version","suggestions"],"properties":{"version":{"type":"string"},"suggestions":{"type":"array","items":{"type":"object","required":["kind","file","path","clock","offset_ns","rate_ppb","bound_ns","candidates","used","residual_p50_ns","residual_p99_ns","by_ns","start","refused"],"properties":{"kind":{"type":"string"},"file":{"type":"integer"},"path":{"type":"string"},"clock":{"type":"string"},"offset_ns":{"type":["string","null"]},"rate_ppb":{"type":["string","null"]},"bound_ns":{"type":["string","null"]},"candidates":{"type":"string"},"used":{"type":"string"},"residual_p50_ns":{"type":["string","null"]},"residual_p99_ns":{"type":["string","null"]},"by_ns":{"type":["string","null"]},"start":{"type":["string","null"]},"refused":{"type":["string","null"]}}}}}})";

Result<SnapRequest> snap_request(const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  SnapRequest request;
  TB_TRY_ASSIGN(const int64_t file, bounded(body.member("file"), "file", 0, UINT32_MAX));
  request.file = static_cast<uint32_t>(file);
  TB_TRY_ASSIGN(request.by_ns, body.member("by_ns").integer());
  TB_TRY_ASSIGN(request.reach_ns, body.member("reach_ns").integer());
  const JsonValue marks = body.member("marks");
  if (!marks.is_given()) return request;
  TB_TRY(marks.require(JsonValue::Kind::Array));
  for (const JsonValue& mark : marks.elements()) {
    TB_TRY_ASSIGN(const int64_t ts, mark.integer());
    request.marks.push_back(ts);
  }
  return request;
}

Result<std::string> snap_json(const OpenDraft::Places& placed, const Call& call) {
  TB_TRY_ASSIGN(const SnapRequest request, snap_request(call));
  TB_TRY_ASSIGN(const DraftSnap snap, placed.places->snap(request));
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(placed.version));
  json.add("by_ns", std::to_string(snap.by_ns));
  if (snap.to) {
    json.open_object("to").add("file", snap.to->file).add("path", snap.to->path);
    json.add("kind", snap.to->kind).add("ts", std::to_string(snap.to->ts)).close_object();
  } else {
    json.add_raw("to", "null");
  }
  json.close_object();
  return std::move(json).finish();
}

Result<std::string> nearest_json(const OpenDraft::Places& placed, const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const int64_t file, bounded(body.member("file"), "file", 0, UINT32_MAX));
  TB_TRY_ASSIGN(const int64_t ts, body.member("ts").integer());
  TB_TRY_ASSIGN(const int64_t reach, body.member("reach_ns").integer());
  TB_TRY_ASSIGN(const std::optional<DraftEvent> event,
                placed.places->nearest(static_cast<uint32_t>(file), ts, reach));
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(placed.version));
  if (event) {
    json.open_object("event").add("ts", std::to_string(event->ts));
    json.add("reading_ns", std::to_string(event->reading_ns));
    if (event->clock)
      json.add("clock", *event->clock);
    else
      json.add_raw("clock", "null");
    json.close_object();
  } else {
    json.add_raw("event", "null");
  }
  json.close_object();
  return std::move(json).finish();
}

void add_text(JsonText& json, std::string_view name, const std::string& text) {
  if (text.empty())
    json.add_raw(name, "null");
  else
    json.add(name, text);
}

Result<std::string> suggestions_json(const OpenDraft::Places& placed, const Call& call) {
  TB_TRY_ASSIGN(const JsonValue body, parse_json(call.request->body));
  TB_TRY_ASSIGN(const int64_t file, bounded(body.member("file"), "file", 0, UINT32_MAX));
  TB_TRY_ASSIGN(const std::vector<DraftSuggestion> found,
                placed.places->suggestions(static_cast<uint32_t>(file)));
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(placed.version)).open_array("suggestions");
  for (const DraftSuggestion& each : found) {
    json.open_object().add("kind", each.kind).add("file", each.file).add("path", each.path);
    json.add("clock", each.clock);
    add_optional(json, "offset_ns", each.offset_ns);
    add_optional(json, "rate_ppb", each.rate_ppb);
    add_optional(json, "bound_ns", each.bound_ns);
    json.add("candidates", std::to_string(each.candidates));
    json.add("used", std::to_string(each.used));
    add_optional(json, "residual_p50_ns", each.residual_p50_ns);
    add_optional(json, "residual_p99_ns", each.residual_p99_ns);
    add_optional(json, "by_ns", each.by_ns);
    add_text(json, "start", each.start);
    add_text(json, "refused", each.refused);
    json.close_object();
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

constexpr std::string_view kFilesSchema =
    R"({"type":"object","required":["version","files"],"properties":{"version":{"type":"string"},"files":{"type":"array","items":{"type":"object","required":["file","path","clocks","sequences","sync_markers","dates"],"properties":{"file":{"type":"integer"},"path":{"type":"string"},"clocks":{"type":"array","items":{"type":"object","required":["name","snapshots"],"properties":{"name":{"type":"string"},"snapshots":{"type":"integer"}}}},"sequences":{"type":"integer"},"sync_markers":{"type":"integer"},"dates":{"type":"array","items":{"type":"object","required":["moment","utc_ns"],"properties":{"moment":{"enum":["first_event","last_event","reading"]},"utc_ns":{"type":"string"}}}}}}}}})";

Result<std::string> files_json(const OpenDraft::Places& placed, const Call&) {
  TB_TRY_ASSIGN(const std::vector<DraftFile> files, placed.places->files());
  JsonText json(JsonText::kCompact);
  json.open_object().add("version", std::to_string(placed.version)).open_array("files");
  for (const DraftFile& file : files) {
    json.open_object().add("file", file.file).add("path", file.path).open_array("clocks");
    for (const DraftFile::Clock& clock : file.clocks)
      json.open_object().add("name", clock.name).add("snapshots", clock.snapshots).close_object();
    json.close_array().add("sequences", file.sequences).add("sync_markers", file.sync_markers);
    json.open_array("dates");
    for (const DraftFile::Date& date : file.dates) {
      json.open_object().add("moment", date.moment);
      json.add("utc_ns", std::to_string(date.utc_ns)).close_object();
    }
    json.close_array().close_object();
  }
  json.close_array().close_object();
  return std::move(json).finish();
}

// Answers with a document about where the draft places its inputs.
template <auto kDocument>
http::Response answer_of_places(Api& api, const Call& call) {
  const auto draft = find_draft(api, call);
  if (!draft) return draft.error();
  const auto places = find_places(**draft);
  if (!places) return places.error();
  Result<std::string> document = kDocument(*places, call);
  return document ? json_response(*std::move(document)) : problem(document.error());
}

}  // namespace

std::vector<Route> draft_place_routes() {
  return {{.method = "GET",
           .path = "/drafts/{d}/files",
           .about = "what files contain that relates clocks: how many snapshots show each clock, "
                    "sequences with clocks of their own, sync markers, and dates of their first or "
                    "last event or of a reading; files without any are left out",
           .answer = answer_of_places<files_json>,
           .on = TaskClass::Answers,
           .schema = kFilesSchema},
          {.method = "POST",
           .path = "/drafts/{d}/snap",
           .about = "how far a file (a row of trace_file) that is dragged by by_ns moves, so that "
                    "its first or last event or one of the marks meets the nearest event of "
                    "another file within reach_ns; all in ns",
           .answer = answer_of_places<snap_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kSnapBody,
           .schema = kSnapSchema},
          {.method = "POST",
           .path = "/drafts/{d}/nearest",
           .about = "the event of a file (a row of trace_file) nearest to a time, at most reach_ns "
                    "away, with the reading of its clock and the clock's name in a manifest: empty "
                    "for the file's own timeline, null if a manifest cannot name it; all in ns",
           .answer = answer_of_places<nearest_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kNearestBody,
           .schema = kNearestSchema},
          {.method = "POST",
           .path = "/drafts/{d}/suggest",
           .about = "where a file (a row of trace_file) whose events have a timeline of its own "
                    "may belong: by what its content has in common with others, by dates inside, "
                    "by equal first and last events; best first, refused ones last; all in ns",
           .answer = answer_of_places<suggestions_json>,
           .on = TaskClass::Answers,
           .most_body = kMostJson,
           .body = kSuggestBody,
           .schema = kSuggestSchema}};
}

}  // namespace tracebraid::api
