// Disks, file systems, displays, fences, chip buses.
#include <algorithm>
#include <string>

#include "base/fnv.h"
#include "base/words.h"
#include "event/plain_args.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

// Returns a hash that is the same in each run, because it orders lanes.
uint64_t cookie_of(std::string_view text) { return fnv1a(text); }

std::string_view word(const KernelDetails& details, size_t index) {
  return index < details.rest.size() ? details.rest[index] : std::string_view();
}

// Returns the word after the key: "dev 8,13 ino 42", "dev = (8,13), ino = 42".
std::string_view after(const KernelDetails& details, std::string_view key) {
  const auto at = std::ranges::find(details.rest, key);
  auto value = at == details.rest.end() ? at : at + 1;
  if (value != details.rest.end() && *value == "=") ++value;
  if (value == details.rest.end()) return {};
  return value->ends_with(',') ? value->substr(0, value->size() - 1) : *value;
}

// Describes a disk request by its flags R, W, D, N, F and the letters after them.
std::string operation(std::string_view flags) {
  std::string title;
  bool has_kind = false;
  for (const char c : flags) {
    std::string_view what;
    if (c == 'F') what = has_kind ? "fua" : "flush";
    if (c == 'D') what = "discard";
    if (c == 'W') what = "write";
    if (c == 'R') what = "read";
    if (c == 'N') what = "none";
    if (c == 'A') what = "ahead";
    if (c == 'S') what = "sync";
    if (c == 'M') what = "meta";
    has_kind |= c == 'D' || c == 'W' || c == 'R' || c == 'N';
    if (what.empty()) continue;
    if (!title.empty()) title += ' ';
    title += what;
  }
  return title;
}

// Returns device, sector and size of a request, which its issue and its end share.
std::string request_of(const KernelDetails& details) {
  std::string key(word(details, 0));
  for (size_t i = 1; i < details.rest.size(); ++i)
    if (details.rest[i] == "+") return key + " " + std::string(details.rest[i - 1]);
  return key;
}

// Handles 179,0 WS 0 () 17038688 + 8 [mmcqd/0].
void begin_request(const Line& line, Context& context) {
  const KernelDetails details = details_of(line);
  const size_t open = line.details.rfind('[');
  if (details.rest.size() < 2 || open == std::string_view::npos) return;
  std::string_view task = line.details.substr(open + 1);
  task = task.substr(0, task.find(']'));
  const std::string request = request_of(details);
  const uint32_t track =
      lane_track("block", "block:" + std::string(task), cookie_of(request), context);
  context.open_requests[request] = track;
  EventSink& sink = context.sink();
  sink.open_args();
  add_text("device", word(details, 0), sink);
  add_text("rwbs", word(details, 1), sink);
  const uint32_t args = sink.close_args();
  begin(line, track, operation(word(details, 1)), context, args);
}

void block_issue(const Line& line, Context& context) {
  emit_row(line, context);
  begin_request(line, context);
}

// Handles 179,0 WS () 17038688 + 8 [0].
void end_request(const Line& line, Context& context) {
  const KernelDetails details = details_of(line);
  const auto at = context.open_requests.find(request_of(details));
  if (at == context.open_requests.end()) return;
  const uint32_t track = at->second;
  context.open_requests.erase(at);
  std::string_view error = details.rest.empty() ? std::string_view() : details.rest.back();
  if (error.starts_with('[')) error = error.substr(1, error.find(']') - 1);
  context.sink().open_args();
  if (const std::optional<int64_t> number = parse_decimal(error))
    add_int("error", *number, context.sink());
  end(line, track, {}, context, context.sink().close_args());
}

void block_complete(const Line& line, Context& context) {
  emit_row(line, context);
  end_request(line, context);
}

// Handles 8,0 D WS 17038688 + 8 [dd] of the tracer blk. Requests are issued (D) and completed (C).
void blk(const Line& line, Context& context) {
  const KernelDetails details = details_of(line);
  const std::string_view action = word(details, 1);
  EventSink& sink = context.sink();
  if (context.keep_raw()) {
    sink.open_args();
    add_text("dev", word(details, 0), sink);
    add_text("action", action, sink);
    add_text("rwbs", word(details, 2), sink);
    if (const auto sector = parse_decimal(word(details, 3))) add_int("sector", *sector, sink);
    if (word(details, 4) == "+")
      if (const auto sectors = parse_decimal(word(details, 5)))
        add_int("nr_sector", *sectors, sink);
    add_text("details", line.details, sink);
    emit_row(line, context, sink.close_args());
  }
  const bool begins = action == "D" || action == "issue";
  if (!begins && action != "C" && action != "complete") return;
  std::string text(word(details, 0));
  for (size_t i = 2; i < details.rest.size(); ++i) text.append(" ").append(details.rest[i]);
  Line request = line;
  request.details = text;
  begins ? begin_request(request, context) : end_request(request, context);
}

uint32_t file_system_track(const Line& line, const KernelDetails& details, Context& context) {
  const std::string kind(line.name.substr(0, line.name.find('_')));
  std::string file(after(details, "dev"));
  for (const std::string_view key : {"ino", "pos", "len"}) {
    file += ' ';
    file += after(details, key);
  }
  std::string key = line.name.find("sync") == std::string_view::npos ? "w " : "s ";
  return lane_track(kind, kind + ":" + std::string(line.task), cookie_of(key + file), context);
}

// Handles dev 8,13 ino 42 parent 7 datasync 0.
void sync_file_enter(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const bool only_data = after(details, "datasync") == "1";
  begin(line, file_system_track(line, details, context), only_data ? "fdatasync" : "fsync",
        context);
}

void sync_file_exit(const Line& line, Context& context) {
  emit_row(line, context);
  end(line, file_system_track(line, details_of(line), context), {}, context);
}

// Handles dev 8,13 ino 42 pos 0 len 4096 flags 0.
void write_begin(const Line& line, Context& context) {
  emit_row(line, context);
  begin(line, file_system_track(line, details_of(line), context), "write", context);
}

void write_end(const Line& line, Context& context) {
  emit_row(line, context);
  end(line, file_system_track(line, details_of(line), context), {}, context);
}

// Handles crtc=0, seq=123.
void vblank(const Line& line, Context& context) {
  emit_row(line, context);
  const uint32_t args = details_args(details_of(line), context.sink());
  instant(line, machine_track("drm_vblank", "drm_vblank", context), "vblank", context, args);
}

// Handles name=s3c-fb value=42: the value lasts until the next event.
void sync_timeline(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (details.text("name").empty()) return;
  const uint32_t track = machine_track("sync_timeline", details.text("name"), context);
  end(line, track, {}, context);
  begin(line, track, details.text("value"), context);
}

// Returns the args of a wait that ends.
uint32_t parts_of_fence(const Line& line, Context& context) {
  const auto wait = context.fence_parts.find(line.tid);
  if (wait == context.fence_parts.end()) return kNone;
  context.sink().open_args();
  for (const std::string_view part : wait->second) {
    const size_t at = part.rfind('=');
    add_text(part.substr(0, at), part.substr(at + 1), context.sink());
  }
  context.fence_parts.erase(wait);
  return context.sink().close_args();
}

// Handles begin name=display state=1, end name=display state=1.
void sync_wait(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::string title = "fence_wait(\"" + std::string(details.text("name")) + "\")";
  if (word(details, 0) == "begin") {
    context.fence_parts.insert_or_assign(line.tid, std::vector<std::string>());
    begin(line, thread_track(line, context), title, context);
  } else if (word(details, 0) == "end") {
    end(line, thread_track(line, context), title, context, parts_of_fence(line, context));
  }
}

// Handles name=s3c-fb value=77, while its thread waits.
void sync_pt(const Line& line, Context& context) {
  constexpr size_t kMost = 1000;
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const auto wait = context.fence_parts.find(line.tid);
  if (wait == context.fence_parts.end() || wait->second.size() >= kMost) return;
  std::string part(details.text("name"));
  wait->second.push_back(part.append("=").append(details.text("value")));
}

// Returns the track for driver= timeline= context= seqno=.
uint32_t fence_track(const KernelDetails& details, Context& context) {
  const std::string name =
      std::string(details.text("timeline")) + "-" + std::string(details.text("context"));
  return lane_track("fence", name, cookie_of(details.text("seqno")), context);
}

void fence_emit(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (details.text("timeline").empty()) return;
  const uint32_t args = details_args(details, context.sink());
  begin(line, fence_track(details, context), "fence", context, args);
}

void fence_signaled(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (!details.text("timeline").empty()) end(line, fence_track(details, context), {}, context);
}

void fence_wait(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string title =
      "fence_wait(\"" + std::string(details_of(line).text("timeline")) + "\")";
  if (line.name.ends_with("start"))
    begin(line, thread_track(line, context), title, context);
  else
    end(line, thread_track(line, context), title, context);
}

// Handles i2c-3 #0 a=020 f=0000 l=2 [15-00] and i2c-3 n=1 ret=1.
void i2c(const Line& line, Context& context) {
  emit_row(line, context);
  constexpr std::string_view kAdapter = "i2c-";
  const KernelDetails details = details_of(line);
  if (!word(details, 0).starts_with(kAdapter)) return;
  const std::string name = "i2c adapter " + std::string(word(details, 0).substr(kAdapter.size()));
  const uint32_t track = machine_track("i2c", name, context);
  EventSink& sink = context.sink();
  if (line.name == "i2c_result") {
    sink.open_args();
    add_text("number of messages", details.text("n"), sink);
    add_text("return", details.text("ret"), sink);
    return end(line, track, {}, context, sink.close_args());
  }
  end(line, track, {}, context);  // ends the message before
  sink.open_args();
  std::string_view message = word(details, 1);
  if (message.starts_with('#')) message.remove_prefix(1);
  if (const std::optional<int64_t> number = parse_decimal(message))
    add_int("message", *number, sink);
  add_text("address", details.text("a"), sink);
  add_text("flags", details.text("f"), sink);
  if (const std::optional<int64_t> length = details.number("l")) add_int("length", *length, sink);
  if (details.rest.size() > 2) add_text("data", details.rest.back(), sink);
  const uint32_t args = sink.close_args();
  const std::string title = "i2c " + std::string(line.name.substr(kAdapter.size()));
  begin(line, track, title, context, args);
}

constexpr Handler kHandlers[] = {
    {"blk", blk},
    {"block_rq_issue", block_issue},
    {"block_rq_complete", block_complete},
    {"ext4_sync_file_enter", sync_file_enter},
    {"ext4_sync_file_exit", sync_file_exit},
    {"ext4_da_write_begin", write_begin},
    {"ext4_da_write_end", write_end},
    {"ext4_write_begin", write_begin},
    {"ext4_write_end", write_end},
    {"f2fs_sync_file_enter", sync_file_enter},
    {"f2fs_sync_file_exit", sync_file_exit},
    {"f2fs_write_begin", write_begin},
    {"f2fs_write_end", write_end},
    {"drm_vblank_event", vblank},
    {"sync_timeline", sync_timeline},
    {"sync_wait", sync_wait},
    {"sync_pt", sync_pt},
    {"dma_fence_emit", fence_emit},
    {"fence_emit", fence_emit},
    {"dma_fence_signaled", fence_signaled},
    {"fence_signaled", fence_signaled},
    {"dma_fence_wait_start", fence_wait},
    {"dma_fence_wait_end", fence_wait},
    {"fence_wait_start", fence_wait},
    {"fence_wait_end", fence_wait},
    {"i2c_write", i2c},
    {"i2c_read", i2c},
    {"i2c_reply", i2c},
    {"i2c_result", i2c},
};

}  // namespace

std::span<const Handler> device_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
