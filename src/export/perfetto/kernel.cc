#include "export/perfetto/kernel.h"

#include <string_view>

#include "export/perfetto/args.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

}  // namespace

Result<> Bundles::add(uint32_t ucpu, int64_t ts, int64_t tid, uint32_t flags, uint32_t number,
                      const std::string& message) {
  using Field = field::FtraceEvent;
  if (ts == last_ts_ && ucpu != last_ucpu_)
    if (std::string& before = events_[last_ucpu_]; !before.empty()) write(last_ucpu_, before);
  last_ts_ = ts;
  last_ucpu_ = ucpu;
  std::string& events = events_[ucpu];
  {
    protozero::pbf_writer bundle(events);
    protozero::pbf_writer event(bundle, field::FtraceEventBundle::kEvent);
    event.add_uint64(Field::kTimestamp, static_cast<uint64_t>(file_.time_of_event(ts)));
    event.add_uint32(Field::kPid, static_cast<uint32_t>(tid));
    if (flags != 0) event.add_uint32(Field::kCommonFlags, flags);
    event.add_message(number, message);
  }
  file_.advance(1);
  if (events.size() < kBundleBytes) return {};
  write(ucpu, events);
  return file_.drain();
}

Result<> Bundles::finish() {
  for (auto& [ucpu, events] : events_)
    if (!events.empty()) {
      write(ucpu, events);
      TB_TRY(file_.drain());
    }
  return {};
}

void Bundles::write(uint32_t ucpu, std::string& events) {
  using Field = field::FtraceEventBundle;
  std::string bundle;
  protozero::pbf_writer about(bundle);
  about.add_uint32(Field::kCpu, ucpu % kCpusOfMachine);
  about.add_uint32(own::kField, own_mode_);
  bundle += events;
  events.clear();
  Packet packet(file_, machines_.kernel(ucpu / kCpusOfMachine));
  packet->add_message(field::TracePacket::kFtraceEvents, bundle);
}

Result<> write_kernel_rows(const Store& store, const Selection& selection, const Machines& machines,
                           const Descriptors& descriptors, PacketFile& file) {
  const FtraceEventTable& rows = store.ftrace_events;
  Bundles bundles(machines, own::kRowsOnly, file);
  std::string message;
  for (uint32_t row = 0; row < rows.rows(); ++row) {
    const OptRow utid = rows.utid[row];
    const bool has_thread = utid.row != OptRow::kNull;
    if (!selection.takes_time(rows.ts[row], 0) ||
        !selection.takes_machine(rows.ucpu[row] / kCpusOfMachine) ||
        (has_thread && !descriptors.takes_thread(utid.row)))
      continue;
    message.clear();
    protozero::pbf_writer event(message);
    add_text(event, field::GenericFtraceEvent::kEventName, text(store, rows.name[row]));
    add_own_args(store, rows.arg_set_id[row], own::kField, event);
    TB_TRY(bundles.add(rows.ucpu[row], rows.ts[row], has_thread ? store.threads.tid[utid.row] : 0,
                       static_cast<uint32_t>(rows.common_flags[row]), field::FtraceEvent::kGeneric,
                       message));
  }
  return bundles.finish();
}

namespace {

// Whether the number is valid in a log line of the format.
bool fits(int64_t number) { return number == static_cast<int32_t>(number); }

void write_line(const Store& store, const Descriptors& descriptors, uint32_t row, Writer writer,
                int64_t wall_time, PacketFile& file) {
  using Field = field::AndroidLogPacket_LogEvent;
  const LogTable& rows = store.logs;
  const OptRow utid = rows.utid[row];
  const bool has_thread = utid.row != OptRow::kNull;
  Packet packet(file, writer, rows.ts[row]);
  protozero::pbf_writer log(packet.get(), field::TracePacket::kAndroidLog);
  protozero::pbf_writer event(log, field::AndroidLogPacket::kEvents);
  int64_t tid = 0, pid = 0;
  if (has_thread) {
    const OptRow upid = store.threads.upid[utid.row];
    const bool has_process = upid.row != OptRow::kNull;
    tid = store.threads.tid[utid.row];
    pid = has_process ? store.processes.pid[upid.row] : tid;
    if (fits(tid)) {
      const auto shown_tid = static_cast<int32_t>(tid);
      event.add_int32(Field::kPid, has_process ? descriptors.shown_pid(upid.row) : shown_tid);
      event.add_int32(Field::kTid, shown_tid);
    }
  }
  event.add_uint64(Field::kTimestamp, static_cast<uint64_t>(wall_time));
  if (rows.tag[row]) add_text(event, Field::kTag, text(store, rows.tag[row]));
  event.add_int32(Field::kPrio, static_cast<int32_t>(rows.prio[row]));
  add_text(event, Field::kMessage, text(store, rows.msg[row]));
  protozero::pbf_writer about(event, own::kField);
  about.add_int64(own::Log::kTime, file.time(rows.ts[row]));
  if (rows.log_source[row]) add_text(about, own::Log::kSource, text(store, rows.log_source[row]));
  about.add_bool(own::Log::kHasThread, has_thread);
  if (!fits(tid) || !fits(pid)) {
    about.add_int64(own::Log::kTid, tid);
    about.add_int64(own::Log::kPid, pid);
  }
  add_own_args(store, rows.arg_set_id[row], own::Log::kArg, about);
}

}  // namespace

Result<> write_logs(const Store& store, const Machines& machines, const Descriptors& descriptors,
                    const Clocks& clocks, PacketFile& file) {
  for (uint32_t row = 0; row < store.logs.rows(); ++row) {
    const std::optional<uint32_t> machine = descriptors.machine_of_log(row);
    if (!machine) continue;
    write_line(store, descriptors, row, machines.events(*machine),
               clocks.realtime(store.logs.ts[row]), file);
    file.advance(1);
    TB_TRY(file.drain());
  }
  return {};
}

}  // namespace tracebraid::perfetto
