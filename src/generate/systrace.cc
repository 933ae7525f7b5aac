// ftrace as text, with the marks that Android programs write.
//
//   RenderThread-1002  ( 1000) [001] ...1   812.000123: tracing_mark_write: B|1000|draw
#include "generate/generate.h"
#include "generate/json_text.h"
#include "generate/pump.h"

namespace tracebraid::generate {
namespace {

struct Task {
  std::string_view comm;
  int64_t tid, tgid;
};

class SystraceWriter {
 public:
  explicit SystraceWriter(const Workload& workload) : workload_(workload) {}

  void write(const WorkloadEvent& h, std::string& out) const {
    Task task = on_line(h);
    if (task.tid == 0)
      append(out, FMT_COMPILE("{:>16}-{:<5} (-----) [{:03}] d..2 "), "<idle>", 0, h.cpu);
    else
      append(out, FMT_COMPILE("{:>16}-{:<5} ({:5}) [{:03}] ...1 "), task.comm, task.tid, task.tgid,
             h.cpu != 0 ? h.cpu : h.thread % workload_.cpus());
    append(out, FMT_COMPILE("{:5}.{:06}: "), h.ts / 1'000'000'000, h.ts / 1000 % 1'000'000);
    body(h, task.tgid, out);
    out += '\n';
  }

 private:
  Task task(uint32_t thread) const {
    if (thread == kIdle) return {"swapper", 0, 0};
    const Thread& t = workload_.threads()[thread];
    return {std::string_view(t.name).substr(0, 15), t.tid, workload_.processes()[t.process].pid};
  }
  // The task of the line.
  Task on_line(const WorkloadEvent& h) const {
    if (h.what == What::Switch) return task(h.prev);
    if (h.what == What::Waking) return task(kIdle);
    return task(h.thread);
  }

  void body(const WorkloadEvent& h, int64_t tgid, std::string& out) const {
    switch (h.what) {
      case What::Begin:
        return append(out, FMT_COMPILE("tracing_mark_write: B|{}|{}"), tgid, h.name);
      case What::End:
        return append(out, FMT_COMPILE("tracing_mark_write: E|{}"), tgid);
      case What::Instant:
        return append(out, FMT_COMPILE("tracing_mark_write: I|{}|{}"), tgid, h.name);
      case What::Counter:
        return append(out, FMT_COMPILE("tracing_mark_write: C|{}|{}|{}"), tgid, h.name, h.value);
      case What::Waking: {
        Task woken = task(h.next);
        return append(out, FMT_COMPILE("sched_waking: comm={} pid={} prio=120 target_cpu={:03}"),
                      woken.comm, woken.tid, h.cpu);
      }
      case What::Switch: {
        Task prev = task(h.prev), next = task(h.next);
        return append(
            out,
            FMT_COMPILE("sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state={} "
                        "==> next_comm={} next_pid={} next_prio=120"),
            prev.comm, prev.tid, prev.tid == 0 || h.prev_runnable ? "R" : "S", next.comm, next.tid);
      }
    }
  }

  const Workload& workload_;
};

}  // namespace

void write_systrace(const Order& order, Output& out) {
  Workload workload({.seed = order.seed, .start_ns = 812'000'000'000, .cpus = 8}, phone_words());
  SystraceWriter writer(workload);
  out.buffer() +=
      "# tracer: nop\n#\n"
      "#           TASK-PID    TGID   CPU#  ||||    TIMESTAMP  FUNCTION\n"
      "#              | |        |      |   ||||       |         |\n";
  pump(workload, {}, {.bytes = order.bytes}, out,
       [&](const WorkloadEvent& h) { writer.write(h, out.buffer()); });
}

}  // namespace tracebraid::generate
