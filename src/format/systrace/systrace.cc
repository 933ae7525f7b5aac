// The format systrace: kernel traces as text, alone or in a page of systrace.
//
//   html       the texts in a page
//   text_file  a text, divided into chunks; its clock
//   chunk      reads lines one after another
//   line       parses one line
//   events     kind of an event -> sched, marks, and kernel events by topic
#include "base/clock_domain.h"
#include "format/format.h"
#include "format/systrace/html.h"
#include "format/systrace/sniff.h"
#include "format/systrace/text_file.h"

namespace tracebraid::systrace {
namespace {

Match sniff(const Peek& peek) {
  return is_html(peek.head) || is_text(peek.head) ? Match::Likely : Match::No;
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  TextFile file(chunks, options);
  if (is_html(input.peek(kPeekBytes))) {
    const Block page = input.all();
    read_html(page.bytes, page.owner, chunks, file);
    file.finish();
    input.done(page);
  } else {
    file.read(input);
    file.finish();
  }
  return {};
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "systrace",
    .title = "Kernel text (ftrace, atrace, systrace)",
    .about =
        "What the kernel's trace file, trace_pipe, trace-cmd report and atrace print, alone or "
        "in an HTML page of systrace: the scheduler, interrupts, frequencies, binder and other "
        "kernel events, userspace marks (slices, counters), calls of the function_graph tracer. "
        "Pages may also contain JSON, BattOr logs, process dumps and compressed traces.",
    .times =
        "MONOTONIC, unless marks or the header (clock_type) name another clock; times without a "
        "decimal point (x86-tsc, counter) are in a clock of the file.",
    .anchors =
        "trace_event_clock_sync marks: parent_ts relates to MONOTONIC, realtime_ts to "
        "REALTIME, name= to other traces.",
    .tables = "sched, thread_state, slice, counter, flow, ftrace_event, process, thread.",
    .clock = {.domain = domain::kMonotonic, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::systrace
