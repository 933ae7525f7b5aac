#include "export/perfetto/samples.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "export/perfetto/stacks.h"
#include "export/perfetto/tables.h"
#include "export/samples.h"
#include "format/proto/profile/samples.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

constexpr uint32_t kNoRow = OptRow::kNull;

// Returns the task and its parents, the outermost first.
void add_async(const Store& store, OptRow context, protozero::pbf_writer& about) {
  const ProfilerAsyncContextTable& rows = store.profiler_async_contexts;
  std::vector<uint32_t> chain;
  for (OptRow at = context; at.row != kNoRow; at = rows.parent_id[at.row]) chain.push_back(at.row);
  for (const uint32_t row : std::views::reverse(chain)) {
    protozero::pbf_writer one(about, own::Sample::kAsync);
    if (rows.name[row]) add_text(one, own::Sample::kAsyncName, text(store, rows.name[row]));
    if (rows.kind[row]) add_text(one, own::Sample::kAsyncKind, text(store, rows.kind[row]));
  }
}

// Returns whether the number is valid in the format; tables may have other numbers.
bool fits(int64_t number) { return number >= 0 && number <= std::numeric_limits<uint32_t>::max(); }

void add_own(const Store& store, const ExportedSample& sample, const Descriptors& descriptors,
             protozero::pbf_writer& to) {
  using Field = own::Sample;
  protozero::pbf_writer about(to, own::kField);
  add_text(about, Field::kSource, text(store, sample.source));
  if (sample.utid.row != kNoRow && process_of(store, sample).row == kNoRow)
    about.add_bool(Field::kIsAlone, true);
  if (sample.utid.row != kNoRow && !fits(store.threads.tid[sample.utid.row]))
    about.add_int64(Field::kTid, store.threads.tid[sample.utid.row]);
  if (const OptRow upid = process_of(store, sample);
      upid.row != kNoRow &&
      store.processes.pid[upid.row] != static_cast<uint32_t>(descriptors.shown_pid(upid.row)))
    about.add_int64(Field::kPid, store.processes.pid[upid.row]);
  if (sample.session.row != kNoRow) {
    const ProfilerSessionTable& sessions = store.profiler_sessions;
    about.add_uint64(Field::kSession, iid_of(sample.session.row));
    add_text(about, Field::kUnit, text(store, sessions.timebase_unit[sample.session.row]));
    add_text(about, Field::kCmdline, text(store, sessions.cmdline[sample.session.row]));
  }
  if (sample.json_row != kNoRow) {
    const JsonSampleTable& json = store.json_samples;
    const bool is_profiler_row = sample.row != kNoRow && sample.callsite.row == kNoRow;
    about.add_uint32(Field::kRows,
                     static_cast<uint32_t>(is_profiler_row ? own::kJsonAndProfiler : own::kJson));
    if (json.name[sample.json_row])
      add_text(about, Field::kName, text(store, json.name[sample.json_row]));
    about.add_double(Field::kWeight, json.weight[sample.json_row]);
  }
  if (sample.row == kNoRow) return;
  const ChromeSampleExtrasTable& extras = store.chrome_sample_extras;
  const auto with_priority = extras.profiler_sample_id.values();
  const auto at = std::ranges::lower_bound(with_priority, sample.row);
  if (at != with_priority.end() && *at == sample.row)
    about.add_int64(Field::kPriority,
                    extras.process_priority[static_cast<size_t>(at - with_priority.begin())]);
  if (const OptRow task = store.profiler_samples.task_context_id[sample.row]; task.row != kNoRow)
    add_async(store, store.profiler_task_contexts.async_context_id[task.row], about);
}

void add_sample(const Store& store, const ExportedSample& sample, const Descriptors& descriptors,
                protozero::pbf_writer& packet) {
  using Field = field::PerfSample;
  protozero::pbf_writer to(packet, field::TracePacket::kPerfSample);
  if (sample.ucpu.row != kNoRow) to.add_uint32(Field::kCpu, sample.ucpu.row % kCpusOfMachine);
  if (const OptRow upid = process_of(store, sample); upid.row != kNoRow)
    to.add_uint32(Field::kPid, static_cast<uint32_t>(descriptors.shown_pid(upid.row)));
  else if (sample.utid.row != kNoRow)  // as in the descriptor of the thread
    to.add_uint32(Field::kPid, static_cast<uint32_t>(store.threads.tid[sample.utid.row]));
  if (sample.utid.row != kNoRow)
    to.add_uint32(Field::kTid, static_cast<uint32_t>(store.threads.tid[sample.utid.row]));
  if (sample.callsite.row != kNoRow)
    to.add_uint64(Field::kCallstackIid, iid_of(sample.callsite.row));
  if (sample.cpu_mode)
    to.add_uint64(Field::kCpuMode, proto::cpu_mode_number(text(store, sample.cpu_mode)));
  if (sample.row != kNoRow && store.profiler_samples.unwind_error[sample.row])
    to.add_uint64(
        Field::kUnwindError,
        proto::unwind_error_number(text(store, store.profiler_samples.unwind_error[sample.row])));
  add_own(store, sample, descriptors, to);
}

}  // namespace

Result<> write_samples(const Store& store, const Selection& selection, const Machines& machines,
                       const Descriptors& descriptors, std::vector<Stacks>& stacks,
                       PacketFile& file) {
  ExportedSamples rows(store);
  for (ExportedSample sample; rows.next(sample);) {
    const uint32_t machine = machine_of(store, sample);
    const bool has_thread = sample.utid.row != kNoRow;
    if (!selection.takes_time(sample.ts, 0) || !selection.takes_machine(machine)) continue;
    if (has_thread ? !descriptors.takes_thread(sample.utid.row)
                   : !selection.takes_process(sample.upid))
      continue;
    if (!has_thread && sample.upid.row != kNoRow) ++file.elsewhere().without_thread;
    std::string interned;
    if (sample.callsite.row != kNoRow) stacks[machine].name(sample.callsite.row, interned);
    {
      Packet packet(file, machines.samples(machine), sample.ts);
      packet->add_uint32(field::TracePacket::kSequenceFlags, kNeedsState);
      if (!interned.empty()) packet->add_message(field::TracePacket::kInternedData, interned);
      add_sample(store, sample, descriptors, packet.get());
    }
    file.advance(1);
    TB_TRY(file.drain());
  }
  return {};
}

}  // namespace tracebraid::perfetto
