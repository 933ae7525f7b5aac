#include "export/perfetto/samples.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "export/perfetto/tables.h"
#include "format/proto/own.h"
#include "format/proto/samples.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

// Which of them a sequence has named. The numbers in the file are rows and 1.
class Named {
 public:
  // Whether it is the first time.
  bool add(uint32_t row) {
    if (row >= named_.size()) named_.resize(row + 1);
    const bool is_first = !named_[row];
    named_[row] = true;
    return is_first;
  }

 private:
  std::vector<bool> named_;
};

uint64_t iid_of(uint32_t row) { return uint64_t{row} + 1; }

// What the samples of one machine need besides.
class Stacks {
 public:
  explicit Stacks(const Store& store) : store_(store) {}

  bool is_first_packet() { return !std::exchange(has_begun_, true); }
  // Adds to `interned`, the fields of an InternedData, what the callsite is the first to use.
  void name(uint32_t callsite, std::string& interned) {
    if (!callsites_.add(callsite)) return;
    protozero::pbf_writer data(interned);
    std::vector<uint64_t> frames;  // the innermost first
    for (OptRow at{callsite}; at.row != OptRow::kNull;
         at = store_.stack_callsites.parent_id[at.row]) {
      const uint32_t frame = store_.stack_callsites.frame_id[at.row];
      name_frame(frame, data);
      frames.push_back(iid_of(frame));
    }
    protozero::pbf_writer stack(data, field::InternedData::kCallstacks);
    stack.add_uint64(field::Callstack::kIid, iid_of(callsite));
    for (const uint64_t frame : std::views::reverse(frames))
      stack.add_uint64(field::Callstack::kFrameIds, frame);
  }

 private:
  std::string_view text(StringId id) const { return perfetto::text(store_, id); }

  uint64_t name_text(Named& named, uint32_t field, StringId id, std::string_view bytes,
                     protozero::pbf_writer& data) {
    if (bytes.empty()) return 0;
    if (named.add(id.row)) {
      protozero::pbf_writer entry(data, field);
      entry.add_uint64(field::InternedString::kIid, iid_of(id.row));
      entry.add_bytes(field::InternedString::kStr, bytes.data(), bytes.size());
    }
    return iid_of(id.row);
  }

  void name_frame(uint32_t row, protozero::pbf_writer& data) {
    using Field = field::Frame;
    if (!frames_.add(row)) return;
    const StackFrameTable& frames = store_.stack_frames;
    name_mapping(frames.mapping[row], data);
    const StringId function = frames.name[row];
    const uint64_t function_iid =
        name_text(functions_, field::InternedData::kFunctionNames, function, text(function), data);
    StringId path;
    int64_t line = OptInt::kNull;
    if (const OptRow symbol = symbol_of(row); symbol.row != OptRow::kNull) {
      path = store_.stack_symbols.source_file[symbol.row];
      line = store_.stack_symbols.line_number[symbol.row].value;
    }
    const uint64_t path_iid =
        name_text(sources_, field::InternedData::kSourcePaths, path, text(path), data);
    protozero::pbf_writer frame(data, field::InternedData::kFrames);
    frame.add_uint64(Field::kIid, iid_of(row));
    if (function_iid != 0) frame.add_uint64(Field::kFunctionNameId, function_iid);
    frame.add_uint64(Field::kMappingId, iid_of(frames.mapping[row]));
    frame.add_uint64(Field::kRelPc, static_cast<uint64_t>(frames.rel_pc[row]));
    if (path_iid != 0) frame.add_uint64(Field::kSourcePathIid, path_iid);
    if (line != OptInt::kNull) frame.add_uint32(Field::kLineNumber, static_cast<uint32_t>(line));
    if (frames.type[row]) add_text(frame, Field::kKindStr, text(frames.type[row]));
  }

  // The one place in the source that a frame can say.
  OptRow symbol_of(uint32_t frame) const {
    const OptRow set = store_.stack_frames.symbol_set_id[frame];
    if (set.row == OptRow::kNull) return {};
    const auto sets = store_.stack_symbols.symbol_set_id.values();
    const auto at = std::ranges::lower_bound(sets, set.row);
    if (at == sets.end() || *at != set.row) return {};
    return {static_cast<uint32_t>(at - sets.begin())};
  }

  void name_mapping(uint32_t row, protozero::pbf_writer& data) {
    using Field = field::Mapping;
    if (!mappings_.add(row)) return;
    const StackMappingTable& mappings = store_.stack_mappings;
    const std::string build_id = bytes_of_hex(text(mappings.build_id[row]));
    const uint64_t build_iid = name_text(build_ids_, field::InternedData::kBuildIds,
                                         mappings.build_id[row], build_id, data);
    // Parts of a path are read with a slash before each.
    std::string_view path = text(mappings.name[row]);
    if (path.starts_with('/')) path.remove_prefix(1);
    const uint64_t path_iid =
        name_text(paths_, field::InternedData::kMappingPaths, mappings.name[row], path, data);
    protozero::pbf_writer mapping(data, field::InternedData::kMappings);
    mapping.add_uint64(Field::kIid, iid_of(row));
    if (build_iid != 0) mapping.add_uint64(Field::kBuildId, build_iid);
    const auto number = [&](uint32_t to, int64_t value) {
      mapping.add_uint64(to, static_cast<uint64_t>(value));
    };
    number(Field::kStartOffset, mappings.start_offset[row]);
    number(Field::kStart, mappings.start[row]);
    number(Field::kEnd, mappings.end[row]);
    number(Field::kLoadBias, mappings.load_bias[row]);
    number(Field::kExactOffset, mappings.exact_offset[row]);
    if (path_iid != 0) mapping.add_uint64(Field::kPathStringIds, path_iid);
    if (!text(mappings.name[row]).starts_with('/'))
      add_text(mapping, own::kField, text(mappings.name[row]));
  }

  const Store& store_;
  Named callsites_, frames_, mappings_, functions_, sources_, build_ids_, paths_;
  bool has_begun_ = false;
};

// A sample as a PerfSample, and whose it is.
struct Sample {
  OptRow utid, upid, ucpu;
  StringId cpu_mode;
};

Sample sample_of(const Store& store, uint32_t row) {
  Sample sample;
  if (const OptRow task = store.profiler_samples.task_context_id[row]; task.row != OptRow::kNull) {
    sample.utid = store.profiler_task_contexts.utid[task.row];
    sample.upid = store.profiler_task_contexts.upid[task.row];
  }
  if (const OptRow at = store.profiler_samples.execution_context_id[row]; at.row != OptRow::kNull) {
    sample.ucpu = store.profiler_execution_contexts.ucpu[at.row];
    sample.cpu_mode = store.profiler_execution_contexts.cpu_mode[at.row];
  }
  return sample;
}

uint32_t machine_of(const Store& store, uint32_t row, const Sample& sample) {
  const OptRow session = store.profiler_samples.session_id[row];
  if (sample.utid.row != OptRow::kNull) return store.threads.machine_id[sample.utid.row];
  if (sample.upid.row != OptRow::kNull) return store.processes.machine_id[sample.upid.row];
  if (sample.ucpu.row != OptRow::kNull) return sample.ucpu.row / kCpusOfMachine;
  if (session.row != OptRow::kNull &&
      store.profiler_sessions.machine_id[session.row].row != OptRow::kNull)
    return store.profiler_sessions.machine_id[session.row].row;
  return store.timeline_machine;
}

void add_sample(const Store& store, uint32_t row, const Sample& sample,
                protozero::pbf_writer& packet) {
  using Field = field::PerfSample;
  const ProfilerSampleTable& rows = store.profiler_samples;
  protozero::pbf_writer to(packet, field::TracePacket::kPerfSample);
  if (sample.ucpu.row != OptRow::kNull)
    to.add_uint32(Field::kCpu, sample.ucpu.row % kCpusOfMachine);
  OptRow upid = sample.upid;
  if (sample.utid.row != OptRow::kNull) {
    to.add_uint32(Field::kTid, static_cast<uint32_t>(store.threads.tid[sample.utid.row]));
    upid = store.threads.upid[sample.utid.row];
  }
  if (upid.row != OptRow::kNull)
    to.add_uint32(Field::kPid, static_cast<uint32_t>(store.processes.pid[upid.row]));
  if (rows.callsite_id[row].row != OptRow::kNull)
    to.add_uint64(Field::kCallstackIid, iid_of(rows.callsite_id[row].row));
  if (sample.cpu_mode)
    to.add_uint64(Field::kCpuMode, proto::cpu_mode_number(text(store, sample.cpu_mode)));
  if (rows.unwind_error[row])
    to.add_uint64(Field::kUnwindError,
                  proto::unwind_error_number(text(store, rows.unwind_error[row])));
  protozero::pbf_writer about(to, own::kField);
  add_text(about, own::Sample::kSource, text(store, rows.source[row]));
  if (const OptRow session = rows.session_id[row]; session.row != OptRow::kNull) {
    const ProfilerSessionTable& sessions = store.profiler_sessions;
    about.add_uint64(own::Sample::kSession, iid_of(session.row));
    add_text(about, own::Sample::kUnit, text(store, sessions.timebase_unit[session.row]));
    add_text(about, own::Sample::kCmdline, text(store, sessions.cmdline[session.row]));
  }
}

void write_packet(const Store& store, uint32_t row, const Sample& sample, Writer writer,
                  Stacks& stacks, PacketFile& file) {
  std::string interned;
  if (const OptRow callsite = store.profiler_samples.callsite_id[row];
      callsite.row != OptRow::kNull)
    stacks.name(callsite.row, interned);
  Packet packet(file, writer, store.profiler_samples.ts[row]);
  packet->add_uint32(field::TracePacket::kSequenceFlags,
                     kNeedsState | (stacks.is_first_packet() ? kStateCleared : 0));
  if (!interned.empty()) packet->add_message(field::TracePacket::kInternedData, interned);
  add_sample(store, row, sample, packet.get());
}

}  // namespace

Result<> write_samples(const Store& store, const Selection& selection, const Machines& machines,
                       const Descriptors& descriptors, PacketFile& file) {
  std::vector<Stacks> stacks(store.machines.rows(), Stacks(store));
  for (uint32_t row = 0; row < store.profiler_samples.rows(); ++row) {
    const Sample sample = sample_of(store, row);
    const uint32_t machine = machine_of(store, row, sample);
    const bool has_thread = sample.utid.row != OptRow::kNull;
    if (!selection.takes_time(store.profiler_samples.ts[row], 0) ||
        !selection.takes_machine(machine))
      continue;
    if (has_thread ? !descriptors.takes_thread(sample.utid.row) : !selection.processes.empty())
      continue;
    write_packet(store, row, sample, machines.samples(machine), stacks[machine], file);
    file.advance(1);
    TB_TRY(file.drain());
  }
  return {};
}

}  // namespace tracebraid::perfetto
