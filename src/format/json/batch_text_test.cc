#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "event/event_kind.h"
#include "event/stats.h"
#include "format/common/stats.h"
#include "format/json/batch_text.h"
#include "format/json/json.h"
#include "format/json/stats.h"

namespace tracebraid::json {
namespace {

std::string text(const EventBatch& batch, StringId id) {
  return id ? std::string(batch.strings.get(id)) : "-";
}

std::string arg_text(const EventBatch& batch, const ArgRow& row) {
  switch (row.type) {
    case ArgType::String:
      return "'" + text(batch, {static_cast<uint32_t>(row.value)}) + "'";
    case ArgType::Real:
      return fmt::format("{:#}", std::bit_cast<double>(row.value));
    case ArgType::Bool:
      return row.value != 0 ? "true" : "false";
    case ArgType::Null:
      return "null";
    case ArgType::EmptyArray:
      return "[]";
    case ArgType::EmptyObject:
      return "{}";
    default:
      return std::to_string(row.value);
  }
}

std::string args_text(const EventBatch& batch, uint32_t set) {
  if (set == kNone) return "";
  std::string out = " {";
  for (size_t i = set;; ++i) {
    const ArgRow& row = batch.args.rows[i];
    if (row.unlisted) out += "unlisted ";
    const ArgKey& key = batch.args.keys[row.key];
    out += text(batch, row.unlisted ? key.full_path() : key.key) + "=" + arg_text(batch, row);
    if (row.last) return out + "}";
    out += " ";
  }
}

std::string thread_text(const EventBatch& batch, uint32_t thread) {
  return fmt::format("{}.{}", batch.threads[thread].pid, batch.threads[thread].tid);
}

std::string track_text(const EventBatch& batch, uint32_t index) {
  const TrackName& track = batch.tracks[index];
  std::string out = text(batch, track.type);
  if (track.scope == TrackScope::Thread)
    out = out == "thread_execution" ? thread_text(batch, track.owner)
                                    : out + " " + thread_text(batch, track.owner);
  if (track.scope == TrackScope::Process)
    out += fmt::format(" {}", batch.processes[track.owner].pid);
  if (track.name) out += " '" + text(batch, track.name) + "'";
  return out;
}

std::string_view kind_text(EventKind kind) {
  static const std::map<EventKind, std::string_view> kTexts = {
      {EventKind::SliceBegin, "B"},      {EventKind::SliceEnd, "E"},
      {EventKind::Slice, "X"},           {EventKind::Instant, "i"},
      {EventKind::SliceBeginOnce, "S"},  {EventKind::AsyncStepBegin, "step"},
      {EventKind::FlowStart, "s"},       {EventKind::FlowStep, "t"},
      {EventKind::FlowEnd, "f"},         {EventKind::FlowEndHere, "fe"},
      {EventKind::Counter, "C"},         {EventKind::ThreadState, "state"},
      {EventKind::ProcessName, "pname"}, {EventKind::ThreadName, "tname"},
      {EventKind::ProcessArgs, "pargs"}, {EventKind::ThreadArgs, "targs"},
      {EventKind::MetadataEvent, "M"},   {EventKind::UnfinishedComplete, "X?"},
      {EventKind::UnhandledEvent, "?"}};
  const auto at = kTexts.find(kind);
  return at == kTexts.end() ? "?" : at->second;
}

std::string line(const EventBatch& batch, const Event& event) {
  std::string where;
  switch (event.what()) {
    case EventKind::ProcessName:
    case EventKind::ProcessArgs:
      where = std::to_string(batch.processes[event.track].pid);
      break;
    case EventKind::ThreadName:
    case EventKind::ThreadArgs:
    case EventKind::ThreadState:
    case EventKind::MetadataEvent:
    case EventKind::UnfinishedComplete:
    case EventKind::UnhandledEvent:
      where = thread_text(batch, event.track);
      break;
    default:
      where = track_text(batch, event.track);
  }
  std::string out = fmt::format("{} {} @{}", kind_text(event.what()), where, event.ts);
  if (event.what() == EventKind::Counter)
    out += fmt::format(" ={}", std::bit_cast<double>(event.value));
  else if (event.value != 0)
    out += fmt::format("+{}", event.value);
  if (event.name) out += " " + text(batch, event.name);
  if (event.category) out += "/" + text(batch, event.category);
  return out + args_text(batch, event.args) + "\n";
}

}  // namespace

std::vector<EventBatch> read_batches(Input& input, unsigned threads, size_t block_bytes) {
  Workers workers(threads);
  Chunks chunks(workers);
  const Result<> result = read_file(input, {}, chunks, block_bytes);
  if (!result) ADD_FAILURE() << result.error().message;
  return std::move(chunks).finish();
}

std::string events_of(const std::vector<EventBatch>& batches) {
  std::string out;
  for (const EventBatch& batch : batches)
    for (const Stream& stream : batch.streams)
      for (const Event& event : stream.events) out += line(batch, event);
  for (const EventBatch& batch : batches)
    for (const Event& event : batch.untimed) out += line(batch, event);
  return out;
}

std::string_view name_of(StatId stat) {
  switch (stat) {
#define TB_NAME(key, name, ...) \
  case stats::name:             \
    return #name;
    TB_JSON_STATS(TB_NAME)
    TB_FORMAT_STATS(TB_NAME)
    TB_EVENT_STATS(TB_NAME)
#undef TB_NAME
    default:
      return "of another folder";
  }
}

std::string stats_of(const std::vector<EventBatch>& batches) {
  std::map<std::string_view, int64_t> sums;
  for (const EventBatch& batch : batches)
    for (const StatCount& stat : batch.stats) sums[name_of(stat.stat)] += stat.value;
  std::string out;
  for (const auto& [name, value] : sums)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value);
  return out;
}

namespace {

std::vector<EventBatch> read_text(std::string_view json) {
  Input input(json);
  return read_batches(input);
}

}  // namespace

std::string events_of(std::string_view json) { return events_of(read_text(json)); }
std::string stats_of(std::string_view json) { return stats_of(read_text(json)); }

std::string metadata_of(std::string_view json) {
  std::string out;
  for (const EventBatch& batch : read_text(json))
    for (const Metadata& row : batch.metadata)
      out +=
          fmt::format("{}={}\n", text(batch, row.key),
                      row.is_text ? "'" + text(batch, row.text) + "'" : std::to_string(row.value));
  return out;
}

}  // namespace tracebraid::json
