#include "engine/functions/ftrace_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "kernel/task_state.h"
#include "query/functions/arg_json.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

// How the kernel prints the fields of an event. {field} stands for a value: {field:3} has at least
// 3 digits, {field:x} is hexadecimal, {field:s} is a text, {field:state} is a task state. Events
// that are not listed are printed as "name=value" pairs in the order of their args.
struct EventText {
  std::string_view event, text;
};
constexpr std::string_view kWakeup =
    "comm={comm:s} pid={pid} prio={prio} target_cpu={target_cpu:3}";
constexpr std::string_view kClock = "{name:s} state={state} cpu_id={cpu_id}";
constexpr std::string_view kIdle = "state={state} cpu_id={cpu_id}";
constexpr std::string_view kSoftirq = "vec={vec} [action={vec:softirq}]";
constexpr std::string_view kWork = "work struct {work:x}: function {function:x}";
constexpr auto kEvents = std::to_array<EventText>({
    {"sched_switch",
     "prev_comm={prev_comm:s} prev_pid={prev_pid} prev_prio={prev_prio} "
     "prev_state={prev_state:state} ==> next_comm={next_comm:s} next_pid={next_pid} "
     "next_prio={next_prio}"},
    {"sched_waking", kWakeup},
    {"sched_wakeup", kWakeup},
    {"sched_wakeup_new", kWakeup},
    {"sched_blocked_reason", "pid={pid} iowait={io_wait} caller={caller:x}"},
    {"cpu_frequency", kIdle},
    {"cpu_idle", kIdle},
    {"clock_set_rate", kClock},
    {"clock_enable", kClock},
    {"clock_disable", kClock},
    {"suspend_resume", "{action:s}[{val}] {start:begin}"},
    {"irq_handler_entry", "irq={irq} name={name:s}"},
    {"irq_handler_exit", "irq={irq} ret={ret:handled}"},
    {"softirq_raise", kSoftirq},
    {"softirq_entry", kSoftirq},
    {"softirq_exit", kSoftirq},
    {"workqueue_activate_work", "work struct {work:x}"},
    {"workqueue_execute_start", kWork},
    {"workqueue_execute_end", "work struct {work:x}"},
    {"binder_transaction",
     "transaction={debug_id} dest_node={target_node} dest_proc={to_proc} dest_thread={to_thread} "
     "reply={reply} flags=0x{flags:x} code=0x{code:x}"},
    {"binder_transaction_received", "transaction={debug_id}"},
    {"binder_lock", "tag={tag:s}"},
    {"binder_locked", "tag={tag:s}"},
    {"binder_unlock", "tag={tag:s}"},
});
// Include/linux/interrupt.h of the kernel.
constexpr auto kSoftirqs = std::to_array<std::string_view>(
    {"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"});

// Bits of common_flags (enum trace_flag_type of the kernel).
constexpr int64_t kInterruptsOff = 1, kInterruptsUnknown = 2, kNeedsReschedule = 4,
                  kHardInterrupt = 8, kSoftInterrupt = 16, kPreemptionReschedule = 32;

std::string flags_text(int64_t flags) {
  std::string text = "....";
  if ((flags & kInterruptsOff) != 0) text[0] = 'd';
  if ((flags & kInterruptsUnknown) != 0) text[0] = 'X';
  const bool tick = (flags & kNeedsReschedule) != 0, now = (flags & kPreemptionReschedule) != 0;
  if (tick || now) text[1] = tick && now ? 'N' : tick ? 'n' : 'p';
  const bool hard = (flags & kHardInterrupt) != 0, soft = (flags & kSoftInterrupt) != 0;
  if (hard || soft) text[2] = hard && soft ? 'H' : hard ? 'h' : 's';
  return text;
}

// Prints one event. Bound to a row of ftrace_event.
class EventPrinter {
 public:
  EventPrinter(const Store& store, size_t row)
      : store_(store),
        row_(row),
        arg_set_id_(store.ftrace_events.arg_set_id[row].row),
        args_(store.args.set(arg_set_id_)) {}

  std::string line() const {
    const std::string_view event = text(store_.ftrace_events.name[row_]);
    const bool is_mark = event == "print" || event == "tracing_mark_write";
    return fmt::format("{} {}: {}: {}", context(), time(), is_mark ? "tracing_mark_write" : event,
                       is_mark ? mark() : fields(event));
  }

 private:
  std::string_view text(StringId id) const { return id ? store_.strings.get(id) : ""; }

  // Task, process, CPU, flags.
  std::string context() const {
    const FtraceEventTable& events = store_.ftrace_events;
    const ThreadTable& threads = store_.threads;
    const ProcessTable& processes = store_.processes;
    std::string_view comm = "<...>";
    int64_t tid = 0;
    std::string process = "-----";
    if (const uint32_t utid = events.utid[row_].row; utid < threads.rows()) {
      tid = threads.tid[utid];
      if (threads.name[utid]) comm = text(threads.name[utid]);
      if (tid == 0) comm = "<idle>";
      const uint32_t upid = threads.upid[utid].row;
      if (tid != 0 && upid < processes.rows()) process = fmt::format("{:5}", processes.pid[upid]);
    }
    return fmt::format("{:>16}-{:<5} ({}) [{:03}] {}", comm, tid, process, cpu(),
                       flags_text(events.common_flags[row_]));
  }

  int64_t cpu() const {
    const uint32_t ucpu = store_.ftrace_events.ucpu[row_];
    const bool is_known = ucpu < store_.cpus.rows() && store_.cpus.cpu[ucpu].value != OptInt::kNull;
    return is_known ? store_.cpus.cpu[ucpu].value : int64_t{ucpu};
  }

  std::string time() const {
    constexpr int64_t kSecond = 1'000'000'000, kMicrosecond = 1000;
    const int64_t ts = store_.ftrace_events.ts[row_];
    // Rounds towards zero; the sign is printed separately, because -0 seconds has none.
    return fmt::format("{}{}.{:06}", ts < 0 ? "-" : "", std::abs(ts / kSecond),
                       std::abs(ts % kSecond) / kMicrosecond);
  }

  std::string mark() const {
    for (const std::string_view key : {"buf", "details"})
      if (const std::optional<Cell> value = arg(key); value && value->kind == Cell::Kind::Text) {
        std::string_view text = value->text;
        while (text.ends_with('\n')) text.remove_suffix(1);
        return std::string(text);
      }
    return pairs();
  }

  std::string fields(std::string_view event) const {
    // Text that the reader did not take apart.
    if (args_.size() == 1)
      if (const std::optional<Cell> details = arg("details")) return value_text(*details);
    const auto* const known = std::ranges::find(kEvents, event, &EventText::event);
    return known == kEvents.end() ? pairs() : filled(known->text);
  }

  std::string pairs() const {
    std::string line;
    for (const ArgRow row : args_) {
      const std::string_view key = text(store_.args.keys[row.key].key);
      fmt::format_to(std::back_inserter(line), "{}{}={}", line.empty() ? "" : " ", key,
                     value_text(value_of(row, store_.strings)));
    }
    return line;
  }

  std::string filled(std::string_view pattern) const {
    std::string line;
    for (;;) {
      const size_t open = pattern.find('{');
      line += pattern.substr(0, open);
      if (open == std::string_view::npos) return line;
      const size_t close = pattern.find('}', open);
      const std::string_view field = pattern.substr(open + 1, close - open - 1);
      const size_t colon = std::min(field.find(':'), field.size());
      line += field_text(field.substr(0, colon), field.substr(std::min(colon + 1, field.size())));
      pattern.remove_prefix(close + 1);
    }
  }

  // A field that is absent has the value 0, as protobuf messages omit it.
  std::string field_text(std::string_view key, std::string_view form) const {
    const std::optional<Cell> value = arg(key);
    if (!value) return form == "s" ? "" : number_text(0, form);
    if (value->kind != Cell::Kind::Int) return value_text(*value);
    return number_text(value->integer, form);
  }

  std::string number_text(int64_t value, std::string_view form) const {
    if (form == "3") return fmt::format("{:03}", value);
    if (form == "x") return fmt::format("{:x}", static_cast<uint64_t>(value));
    if (form == "begin") return value != 0 ? "begin" : "end";
    if (form == "handled") return value != 0 ? "handled" : "unhandled";
    if (form == "softirq") {
      const auto number = static_cast<size_t>(value);
      return number < kSoftirqs.size() ? std::string(kSoftirqs[number]) : std::to_string(value);
    }
    if (form == "state") return task_state(value, kernel()).value_or(std::to_string(value));
    return std::to_string(value);
  }

  KernelVersion kernel() const {
    const uint32_t ucpu = store_.ftrace_events.ucpu[row_];
    const uint32_t machine = ucpu < store_.cpus.rows() ? store_.cpus.machine_id[ucpu] : 0;
    if (machine >= store_.machines.rows()) return {};
    return kernel_version(text(store_.machines.sysname[machine]),
                          text(store_.machines.release[machine]));
  }

  std::optional<Cell> arg(std::string_view key) const {
    const StringId id = store_.strings.find(key);
    if (!id) return std::nullopt;
    const std::optional<ArgRow> row = store_.args.find(arg_set_id_, id);
    return row ? std::optional(value_of(*row, store_.strings)) : std::nullopt;
  }

  static std::string value_text(const Cell& cell) { return text_of(cell).value_or(""); }

  const Store& store_;
  size_t row_;
  uint32_t arg_set_id_;
  ArgSet args_;
};

MaybeText to_ftrace(const Store& store, const Cell& id) {
  if (id.kind == Cell::Kind::Null) return std::nullopt;
  if (id.kind != Cell::Kind::Int) return fail(ErrorCode::Sql, "Usage: to_ftrace(id)");
  if (id.integer < 0 || id.integer >= static_cast<int64_t>(store.ftrace_events.rows()))
    return fail(ErrorCode::Sql, fmt::format("to_ftrace: Cannot serialize row id {}", id.integer));
  return EventPrinter(store, static_cast<size_t>(id.integer)).line();
}

}  // namespace

std::vector<SqlFunction> ftrace_functions(const Store& store) {
  return {{"to_ftrace(id LONG) STRING",
           "Row of ftrace_event as a line of ftrace text.",
           returns_text([&store](std::span<const Cell> arguments) {
             return to_ftrace(store, arguments[0]);
           }),
           {FtraceEventTable::kName, ArgsTable::kName, ThreadTable::kName, ProcessTable::kName,
            CpuTable::kName, MachineTable::kName}}};
}

}  // namespace tracebraid
