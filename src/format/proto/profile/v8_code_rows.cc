// Which code took the place of which, and the rows of all.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/row.h"
#include "format/proto/profile/v8_code.h"

namespace tracebraid::proto {
namespace {

// Far above what is numbered elsewhere in a batch.
constexpr int64_t kFirstRow = int64_t{1} << 40;

void add_text(RowWriter& row, std::string_view column, StringId text) {
  if (text) row.cell(column, ArgType::String, text.row);
}

}  // namespace

std::optional<V8Codes::CacheKey> V8Codes::cache_of(const Code& code) const {
  const Isolate& isolate = isolates_[code.isolate];
  if (code.range.size == 0) return std::nullopt;
  if (isolate.has_code && isolate.code.holds(code.range))
    return CacheKey{isolate.machine, isolate.pid, isolate.is_process_wide ? kNone : code.isolate,
                    isolate.code};
  if (isolate.has_blob && isolate.blob.holds(code.range))
    return CacheKey{isolate.machine, isolate.pid, kNone, isolate.blob};
  return std::nullopt;
}

// What lay there ends.
void V8Codes::place(const CacheKey& cache, V8Range range, size_t code) {
  std::map<uint64_t, Live>& live = caches_[cache];
  auto at = live.lower_bound(range.begin);
  if (at != live.begin()) {
    const auto before = std::prev(at);
    if (range.begin - before->first < before->second.size) at = before;
  }
  while (at != live.end() && (at->first < range.begin || at->first - range.begin < range.size)) {
    ended_by_[at->second.code] = code;
    at = live.erase(at);
  }
  live[range.begin] = {range.size, code};
}

void V8Codes::move(const CacheKey& cache, const Code& code, size_t index) {
  std::map<uint64_t, Live>& live = caches_[cache];
  const auto at = live.find(code.range.begin);
  if (at == live.end()) return;
  const Live moved = at->second;
  live.erase(at);
  place(cache, {code.moved_to, moved.size}, index);
  live[code.moved_to] = moved;
}

int64_t V8Codes::write_isolate(const EventTime& time, uint32_t index, PacketOutput& out) {
  Isolate& isolate = isolates_[index];
  if (isolate.row != 0) return isolate.row;
  isolate.row = kFirstRow + rows_++;
  RowWriter row(out.sink, "v8_isolate");
  row.process("upid", out.sink.process({.machine = isolate.machine, .pid = isolate.pid}))
      .integer("internal_isolate_id", isolate.id)
      .integer("embedded_blob_code_start_address", static_cast<int64_t>(isolate.blob.begin))
      .integer("embedded_blob_code_size", static_cast<int64_t>(isolate.blob.size));
  if (isolate.has_code)
    row.integer("code_range_base_address", static_cast<int64_t>(isolate.code.begin))
        .integer("code_range_size", static_cast<int64_t>(isolate.code.size))
        .integer("shared_code_range", isolate.is_process_wide ? 1 : 0);
  if (isolate.blob_copy)
    row.integer("embedded_blob_code_copy_start_address", static_cast<int64_t>(*isolate.blob_copy));
  out.sink.event(row.finish(time, kNone, isolate.row));
  return isolate.row;
}

int64_t V8Codes::write_script(const EventTime& time, uint32_t index, PacketOutput& out) {
  Script& script = scripts_[index];
  if (script.row != 0) return script.row;
  const int64_t isolate = write_isolate(time, script.isolate, out);
  script.row = kFirstRow + rows_++;
  RowWriter row(out.sink, script.is_wasm ? "v8_wasm_script" : "v8_js_script");
  row.row("v8_isolate_id", isolate).integer("internal_script_id", script.id);
  if (!script.is_wasm) add_text(row, "script_type", script.type);
  add_text(row, script.is_wasm ? "url" : "name", script.name);
  add_text(row, script.is_wasm ? "wire_bytes_base64" : "source", script.source);
  out.sink.event(row.finish(time, kNone, script.row));
  return script.row;
}

int64_t V8Codes::write_function(const EventTime& time, uint32_t index, PacketOutput& out) {
  Function& function = functions_[index];
  if (function.row != 0) return function.row;
  const int64_t script = write_script(time, function.script, out);
  function.row = kFirstRow + rows_++;
  RowWriter row(out.sink, "v8_js_function");
  add_text(row, "name", function.name);
  row.row("v8_js_script_id", script).integer("is_toplevel", function.is_toplevel ? 1 : 0);
  add_text(row, "kind", function.kind);
  if (function.line > 0) row.integer("line", function.line);
  if (function.line > 0 && function.column > 0) row.integer("col", function.column);
  out.sink.event(row.finish(time, kNone, function.row));
  return function.row;
}

int64_t V8Codes::write_native(const Code& code, size_t index, PacketOutput& out) {
  const Isolate& isolate = isolates_[code.isolate];
  const auto time_cell = [&](RowWriter& row, std::string_view column, const EventTime& time) {
    std::vector<ArgTime>& times = out.sink.batch().arg_times;
    row.cell(column, ArgType::Time, static_cast<int64_t>(times.size()));
    times.push_back({time.ticks, time.clock});
  };
  const int64_t number = kFirstRow + rows_++;
  RowWriter row(out.sink, "jit_code");
  time_cell(row, "create_ts", code.time);
  if (ended_by_[index] != index)
    time_cell(row, "estimated_delete_ts", codes_[ended_by_[index]].time);
  row.thread("utid",
             out.sink.thread({.machine = isolate.machine, .tid = code.tid, .pid = isolate.pid}))
      .integer("start_address", static_cast<int64_t>(code.range.begin))
      .integer("size", static_cast<int64_t>(code.range.size));
  add_text(row, "function_name", code.name);
  add_text(row, "native_code_base64", code.native);
  out.sink.event(row.finish(code.time, kNone, number));
  return number;
}

// `native` is the row of jit_code; 0 if there is none.
void V8Codes::write(const Code& code, int64_t native, PacketOutput& out) {
  const auto write_row = [&](std::string_view table, std::string_view owner, int64_t owner_row,
                             std::string_view kind, StringId kind_text, auto add_rest) {
    RowWriter row(out.sink, table);
    if (native != 0) row.row("jit_code_id", native);
    row.row(owner, owner_row);
    add_text(row, kind, kind_text);
    add_rest(row);
    out.sink.event(row.finish(code.time));
  };
  if (code.kind == Kind::Js) {
    write_row("v8_js_code", "v8_js_function_id", write_function(code.time, code.owner, out), "tier",
              code.tier, [&](RowWriter& row) { add_text(row, "bytecode_base64", code.bytecode); });
    return;
  }
  const int64_t isolate = write_isolate(code.time, code.isolate, out);
  if (code.kind == Kind::RegExp)
    write_row("v8_regexp_code", "v8_isolate_id", isolate, "pattern", code.name, [](RowWriter&) {});
  if (code.kind == Kind::Internal)
    write_row("v8_internal_code", "v8_isolate_id", isolate, "code_type", code.tier,
              [&](RowWriter& row) { add_text(row, "function_name", code.name); });
  if (code.kind != Kind::Wasm) return;
  const int64_t script = write_script(code.time, code.owner, out);
  write_row("v8_wasm_code", "v8_isolate_id", isolate, "tier", code.tier, [&](RowWriter& row) {
    row.row("v8_wasm_script_id", script);
    add_text(row, "function_name", code.name);
    if (code.offset_in_module) row.integer("code_offset_in_module", *code.offset_in_module);
  });
}

void V8Codes::finish(PacketOutput& out) {
  // Writers' packets come in chunks, one writer after the other.
  std::ranges::stable_sort(codes_, {}, [](const Code& code) { return code.time.ticks; });
  ended_by_.resize(codes_.size());
  std::iota(ended_by_.begin(), ended_by_.end(), size_t{0});
  for (size_t i = 0; i < codes_.size(); ++i) {
    const std::optional<CacheKey> cache = cache_of(codes_[i]);
    if (!cache) continue;
    if (codes_[i].kind == Kind::Move)
      move(*cache, codes_[i], i);
    else
      place(*cache, codes_[i].range, i);
  }
  for (size_t i = 0; i < codes_.size(); ++i) {
    const Code& code = codes_[i];
    if (code.kind == Kind::Move) continue;
    write(code, cache_of(code) ? write_native(code, i, out) : 0, out);
  }
}

}  // namespace tracebraid::proto
