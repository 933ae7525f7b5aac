// The files of examples/: a mail is written in a web view, the phone sends it to a watch, and the
// watch shows it. The three files have three clocks; only the merged timeline has the order.
#include <algorithm>
#include <array>

#include "generate/chrome_json.h"
#include "generate/generate.h"
#include "generate/proto_trace.h"
#include "generate/pump.h"

namespace tracebraid::generate {
namespace {

// Times are ns since the start of the phone's trace. Each clock has an offset of its own.
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kLength = 1400 * kMs;
constexpr int64_t kPhoneStart = 147'757 * kMs;          // BOOTTIME of the phone
constexpr int64_t kWatchStart = 11'671'957 * kMs;       // BOOTTIME of the watch at the same moment
constexpr int64_t kUtcStart = 1'795'176'332'000 * kMs;  // 2026-11-20 12:05:32 UTC
constexpr int64_t kWatchWallError = 3 * kMs;            // how far the watch's wall clock is ahead
constexpr int64_t kAppStart = 250 * kMs;                // when the web view's clock starts
constexpr int64_t kSnapshotEvery = 100 * kMs;
constexpr uint32_t kMessages = 6;

struct Message {
  int64_t composed, sent, shown;  // ns since the start of the phone's trace
};

std::vector<Message> messages() {
  Random random(42);
  std::vector<Message> all;
  for (uint32_t i = 0; i < kMessages; ++i) {
    Message m{.composed = kAppStart + (60 + 170 * i) * kMs};
    m.sent = m.composed + 4 * kMs + random.spread(6 * kMs);
    m.shown = m.sent + 18 * kMs + random.spread(20 * kMs);
    all.push_back(m);
  }
  return all;
}

// Writes one slice per message, which begins at `moment` plus `offset`.
std::vector<WorkloadEvent> script(uint32_t thread, std::string_view name, std::string_view category,
                                  int64_t Message::* moment, int64_t offset, int64_t length) {
  std::vector<WorkloadEvent> events;
  for (uint32_t i = 0; const Message& message : messages()) {
    WorkloadEvent h{.what = What::Begin,
                    .arg_count = 1,
                    .ts = message.*moment + offset,
                    .thread = thread,
                    .name = name,
                    .category = category};
    h.begin_ts = h.ts;
    h.args[0] = {.key = "message", .text = {}, .number = 100 + i++};
    events.push_back(h);
    h.what = What::End;
    h.ts += length;
    events.push_back(h);
  }
  return events;
}

Result<> write_machine(const std::string& path, const MachineAbout& about, Workload& workload,
                       std::span<const WorkloadEvent> script) {
  TB_TRY_ASSIGN(Output out, Output::create(path));
  append_preamble(about, workload, out.buffer());
  TrackEventWriter events(workload);
  SchedWriter sched(workload);
  events.descriptors(about.start_ns, out.buffer());
  int64_t snapshot_at = about.start_ns + kSnapshotEvery;
  pump(workload, script, {.end_ns = about.start_ns + kLength}, out, [&](const WorkloadEvent& h) {
    if (h.ts >= snapshot_at) {
      append_clock_snapshot(about, snapshot_at, out.buffer());
      snapshot_at += kSnapshotEvery;
    }
    events.write(h, out.buffer());
    sched.write(h, out.buffer());
  });
  sched.finish(out.buffer());
  return out.close();
}

Result<> write_phone(const std::string& path) {
  MachineAbout about{.name = "phone",
                     .realtime_offset = kUtcStart - kPhoneStart,
                     .realtime_drift_ppm = 8,
                     .start_ns = kPhoneStart,
                     .uuid = 1};
  Workload workload({.seed = 3,
                     .start_ns = kPhoneStart,
                     .processes = 3,
                     .threads_each = 2,
                     .cpus = 4,
                     .typical_gap = 18 * kMs,
                     .first_pid = 2000},
                    phone_words());
  uint32_t bluetooth = workload.add_thread(1, "bt_main");
  return write_machine(
      path, about, workload,
      script(bluetooth, "sendNotification", "bluetooth", &Message::sent, kPhoneStart, 2 * kMs));
}

Result<> write_watch(const std::string& path) {
  MachineAbout about{.name = "watch",
                     .release = "5.15.104-generated",
                     .realtime_offset = kUtcStart + kWatchWallError - kWatchStart,
                     .realtime_drift_ppm = -40,
                     .suspended_ns = 9'000'000 * kMs,
                     .start_ns = kWatchStart,
                     .uuid = 2};
  Workload workload({.seed = 5,
                     .start_ns = kWatchStart,
                     .processes = 2,
                     .threads_each = 2,
                     .cpus = 2,
                     .typical_gap = 20 * kMs,
                     .max_depth = 4,
                     .first_pid = 300},
                    watch_words());
  uint32_t notifier = workload.add_thread(0, "notifier");
  return write_machine(
      path, about, workload,
      script(notifier, "showNotification", "display", &Message::shown, kWatchStart, 9 * kMs));
}

// A view in the mail process of the phone; its file has a clock of its own.
Result<> write_app(const std::string& path) {
  TB_TRY_ASSIGN(Output out, Output::create(path));
  Workload workload({.seed = 9,
                     .processes = 1,
                     .threads_each = 2,
                     .typical_gap = 18 * kMs,
                     .max_depth = 5,
                     .first_pid = 2000},
                    browser_words());
  uint32_t view = workload.add_thread(0, "WebView");
  ChromeJsonWriter writer(workload, 0);
  out.buffer() += "{\"traceEvents\":[\n";
  writer.names(out.buffer());
  pump(workload, script(view, "composeMessage", "mail", &Message::composed, -kAppStart, 3 * kMs),
       {.end_ns = kLength - kAppStart}, out,
       [&](const WorkloadEvent& h) { writer.write(h, out.buffer()); });
  out.buffer() += R"({"ph":"M","pid":2000,"name":"process_labels","args":{"labels":"inbox"}}]})";
  out.buffer() += '\n';
  return out.close();
}

Result<> write_manifest(const std::string& path) {
  TB_TRY_ASSIGN(Output out, Output::create(path));
  out.buffer() = R"({
  "perfetto_manifest": {
    "version": 1,
    "trace_time": {"clock": "BOOTTIME", "file": "phone.pftrace"},
    "files": [
      {"path": "phone.pftrace", "machine": {"name": "phone"}},
      {"path": "watch.pftrace", "machine": {"name": "watch"}},
      {
        "path": "app.json",
        "machine": {"name": "phone"},
        "clocks": {
          "sync_to": {"file": "phone.pftrace", "clock": "BOOTTIME"},
          "offset_ns": )";
  out.buffer() += std::to_string(kPhoneStart + kAppStart);
  out.buffer() += R"(
        }
      }
    ],
    "attributes": {"scenario": "mail to watch"}
  }
}
)";
  return out.close();
}

}  // namespace

Result<> generate_examples(const std::string& folder) {
  TB_TRY(write_phone(folder + "/phone.pftrace"));
  TB_TRY(write_watch(folder + "/watch.pftrace"));
  TB_TRY(write_app(folder + "/app.json"));
  return write_manifest(folder + "/manifest.json");
}

}  // namespace tracebraid::generate
