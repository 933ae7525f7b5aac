// The format: Fuchsia's binary traces (FXT).
//
//   records    splits words into records
//   provider   strings and threads by number; args
//   reader     interprets records; slices and scheduling in files of their own
#include "base/clock_domain.h"
#include "event/stats.h"
#include "format/format.h"
#include "format/fuchsia/reader.h"
#include "format/fuchsia/records.h"

namespace tracebraid::fuchsia {
namespace {

Match sniff(const Peek& peek) { return peek.head.starts_with(kMagic) ? Match::Sure : Match::No; }

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  EventSink& sink = chunks.add();
  Reader reader(sink);
  for_each_record(input, [&](Record& record) { reader.record(record); },
                  {.bad_header = [&](uint64_t at) { reader.bad_header(at); },
                   .cut = [&](uint64_t at) { sink.count(stats::trace_truncated, at); }});
  reader.finish();
  return {};
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "fuchsia",
    .title = "Fuchsia trace (FXT)",
    .about =
        "Binary traces of Fuchsia, and of other programs that write its format: slices, "
        "instants, asynchronous slices, flows and counters, context switches and wakeups, names "
        "of kernel objects, logs. Blobs are counted but not imported.",
    .times = "BOOTTIME; each provider states its ticks per second.",
    .tables = "slice, counter, flow, sched, thread_state, android_logs, process, thread.",
    .clock = {.domain = domain::kBoottime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::fuchsia
