#include "export/trace_json/samples.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "assemble/identity/cpus.h"  // kCpusOfMachine
#include "export/row_nouns.h"
#include "export/rows/cell_text.h"
#include "export/trace_json/text.h"

namespace tracebraid {

void JsonStacks::add_reference(std::string_view name, uint32_t callsite, EventWriter& to) {
  to.add_name(name);
  fmt::format_to(std::back_inserter(to.text()), "\"{}\"", callsite);
  for (OptRow at{callsite}; at.row != OptRow::kNull && !used_[at.row];
       at = store_.stack_callsites.parent_id[at.row])
    used_[at.row] = true;
}

Result<> JsonStacks::write_frames(EventWriter& to) const {
  bool is_first = true;
  for (uint32_t callsite = 0; callsite < used_.size(); ++callsite) {
    if (!used_[callsite]) continue;
    to.text() += is_first ? ",\"stackFrames\":{\n" : ",\n";
    is_first = false;
    write_frame(callsite, to);
    TB_TRY(to.drain());
  }
  if (!is_first) to.text() += "\n}";
  return {};
}

void JsonStacks::write_frame(uint32_t callsite, EventWriter& to) const {
  const uint32_t frame = store_.stack_callsites.frame_id[callsite];
  fmt::format_to(std::back_inserter(to.text()), "\"{}\":{{", callsite);
  const uint32_t mapping = store_.stack_frames.mapping[frame];
  to.add_text("category", text_or_empty(store_, store_.stack_mappings.name[mapping]));
  to.add_text("name", text_or_empty(store_, store_.stack_frames.name[frame]));
  if (const OptRow parent = store_.stack_callsites.parent_id[callsite];
      parent.row != OptRow::kNull) {
    to.add_name("parent");
    fmt::format_to(std::back_inserter(to.text()), "\"{}\"", parent.row);
  }
  if (const int64_t address = store_.stack_frames.rel_pc[frame]; address != 0) {
    to.add_name("address");
    fmt::format_to(std::back_inserter(to.text()), "\"0x{:x}\"", static_cast<uint64_t>(address));
  }
  if (const OptRow symbol = symbol_of_frame(store_, frame); symbol.row != OptRow::kNull) {
    if (const StringId file = store_.stack_symbols.source_file[symbol.row])
      to.add_text("file", text_or_empty(store_, file));
    if (const OptInt line = store_.stack_symbols.line_number[symbol.row];
        line.value != OptInt::kNull)
      to.add_integer("line", line.value);
  }
  to.close_object();
}

namespace {

void write_sample(const Store& store, const ExportedSample& sample, int64_t ts,
                  const Places& places, JsonStacks& stacks, EventWriter& to) {
  const JsonSampleTable& json = store.json_samples;
  const bool is_named = sample.json_row != OptRow::kNull && json.name[sample.json_row];
  to.text() += '{';
  to.add_integer("pid", places.thread_pid[sample.utid.row]);
  to.add_integer("tid", store.threads.tid[sample.utid.row]);
  // The format has one machine: CPU 0 of two machines would be one CPU.
  if (sample.ucpu.row != OptRow::kNull && machine_of(store, sample) == store.timeline_machine)
    to.add_integer("cpu", sample.ucpu.row % kCpusOfMachine);
  to.add_micros("ts", ts);
  to.add_text("name", text_or_empty(store, is_named ? json.name[sample.json_row] : sample.source));
  if (sample.callsite.row != OptRow::kNull) stacks.add_reference("sf", sample.callsite.row, to);
  to.add_name("weight");
  const double weight = sample.json_row == OptRow::kNull ? 1 : json.weight[sample.json_row];
  append_real(to.text(), std::isfinite(weight) ? weight : 1);
  to.close_object();
}

}  // namespace

Result<> write_samples(const Store& store, const Selection& selection, const Places& places,
                       JsonStacks& stacks, EventWriter& to, std::vector<std::string>& notes) {
  uint64_t without_thread = 0;
  bool is_first = true;
  ExportedSamples rows(store);
  for (ExportedSample sample; rows.next(sample);) {
    int64_t ts = sample.ts;
    if (!selection.takes_time(ts, 0) || !selection.takes_machine(machine_of(store, sample)) ||
        !selection.takes_process(process_of(store, sample)))
      continue;
    if (sample.utid.row == OptRow::kNull) ++without_thread;
    if (sample.utid.row == OptRow::kNull || !to.move(ts)) continue;
    to.text() += is_first ? ",\"samples\":[\n" : ",\n";
    is_first = false;
    write_sample(store, sample, ts, places, stacks, to);
    to.count_row();
    to.advance();
    TB_TRY(to.drain());
  }
  if (!is_first) to.text() += "\n]";
  if (without_thread != 0)
    notes.push_back(not_exported(without_thread, "__intrinsic_profiler_sample") +
                    ", because the format has only samples of threads");
  return {};
}

}  // namespace tracebraid
