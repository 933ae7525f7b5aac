#include "generate/proto_trace.h"

#include "base/clock_domain.h"
#include "generate/generate.h"
#include "generate/pump.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kServiceSequence = 1;
constexpr int64_t kSnapshotInterval = 10'000'000'000;

void add_clock(protozero::pbf_writer& snapshot, uint32_t id, int64_t ns) {
  protozero::pbf_writer clock(snapshot, 1);
  clock.add_uint32(1, id);
  clock.add_uint64(2, static_cast<uint64_t>(ns));
}

void append_system_info(const MachineAbout& about, std::string& out) {
  Packet packet(out, kServiceSequence, about.start_ns);
  protozero::pbf_writer info(packet, 45);
  {
    protozero::pbf_writer uts(info, 1);
    uts.add_string(1, "Linux");
    uts.add_string(2, "#1 SMP PREEMPT");
    uts.add_string(3, about.release.data(), about.release.size());
    uts.add_string(4, "aarch64");
  }
  if (!about.name.empty()) info.add_string(17, about.name.data(), about.name.size());
}

void append_process_tree(int64_t ts, const Workload& workload, std::string& out) {
  Packet packet(out, kServiceSequence, ts);
  protozero::pbf_writer tree(packet, 2);
  for (const Process& p : workload.processes()) {
    protozero::pbf_writer process(tree, 1);
    process.add_int32(1, static_cast<int32_t>(p.pid));
    process.add_int32(2, 1);  // parent
    process.add_string(3, p.name);
  }
  for (const Thread& t : workload.threads()) {
    protozero::pbf_writer thread(tree, 2);
    thread.add_int32(1, static_cast<int32_t>(t.tid));
    thread.add_string(2, t.name);
    thread.add_int32(3, static_cast<int32_t>(workload.processes()[t.process].pid));
  }
}

}  // namespace

void append_clock_snapshot(const MachineAbout& about, int64_t boottime, std::string& out) {
  Packet packet(out, kServiceSequence, boottime);
  protozero::pbf_writer snapshot(packet, 6);
  int64_t gained = (boottime - about.start_ns) / 1'000'000 * about.realtime_drift_ppm;
  add_clock(snapshot, domain::kBoottime, boottime);
  add_clock(snapshot, domain::kRealtime, boottime + about.realtime_offset + gained);
  add_clock(snapshot, domain::kMonotonic, boottime - about.suspended_ns);
  snapshot.add_enum(2, domain::kBoottime);  // primary_trace_clock
}

void append_preamble(const MachineAbout& about, const Workload& workload, std::string& out) {
  append_clock_snapshot(about, about.start_ns, out);
  {
    Packet packet(out, kServiceSequence);
    protozero::pbf_writer uuid(packet, 89);
    uuid.add_int64(1, 0x7472616365);
    uuid.add_int64(2, static_cast<int64_t>(about.uuid));
  }
  append_system_info(about, out);
  append_process_tree(about.start_ns, workload, out);
}

namespace {

void write_track_events(const Order& order, int64_t clear_ns, Output& out) {
  constexpr int64_t kStart = 812'000'000'000;
  Workload workload({.seed = order.seed, .start_ns = kStart}, browser_words());
  MachineAbout about{.name = {}, .start_ns = kStart, .uuid = order.seed};
  append_preamble(about, workload, out.buffer());
  TrackEventWriter writer(workload, clear_ns);
  writer.descriptors(kStart, out.buffer());
  int64_t snapshot_at = kStart + kSnapshotInterval;
  pump(workload, {}, {.bytes = order.bytes}, out, [&](const WorkloadEvent& h) {
    if (h.ts >= snapshot_at) {
      append_clock_snapshot(about, snapshot_at, out.buffer());
      snapshot_at += kSnapshotInterval;
    }
    writer.write(h, out.buffer());
  });
}

}  // namespace

void write_track_event(const Order& order, Output& out) { write_track_events(order, 0, out); }

void write_track_event_sdk(const Order& order, Output& out) {
  write_track_events(order, 250'000'000, out);
}

void write_sched(const Order& order, Output& out) {
  constexpr int64_t kStart = 812'000'000'000;
  Workload workload({.seed = order.seed,
                     .start_ns = kStart,
                     .processes = 40,
                     .threads_each = 10,
                     .cpus = 8,
                     .activity = false},
                    phone_words());
  append_preamble({.name = {}, .start_ns = kStart, .uuid = order.seed}, workload, out.buffer());
  SchedWriter writer(workload);
  pump(workload, {}, {.bytes = order.bytes}, out,
       [&](const WorkloadEvent& h) { writer.write(h, out.buffer()); });
  writer.finish(out.buffer());
}

}  // namespace tracebraid::generate
