#include "merge/diagnostics.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock_domain.h"
#include "merge/stat_kinds.h"

namespace tracebraid {
namespace {

struct RuleText {
  std::string_view key, title, description, remediation;
};

// Indexed by DiagnosticRule.
constexpr RuleText kRules[] = {
    {"preserve_ftrace_buffer_late_start", "Kernel events of before the recording may be lost",
     "The config keeps the events that were in the kernel's buffer when the recording began "
     "(preserve_ftrace_buffer), but it began more than five minutes after boot. By then the buffer "
     "had probably overwritten the events of the boot.",
     "Begin the recording earlier, or use a larger buffer_size_kb while the machine boots."},
    {"tiny_ftrace_buffer", "The buffer of kernel events is small",
     "The kernel's buffer (buffer_size_kb of each CPU) is smaller than 1 MB. It overflows when "
     "many "
     "events happen before it is read, and events are lost.",
     "Set buffer_size_kb to 2048 or more, or leave it out."},
    {"low_ftrace_drain_bandwidth", "Kernel events are read too slowly",
     "The kernel's buffer and its drain_period_ms let less than 5 MB a second of each CPU pass. "
     "A busy CPU writes more, and events are lost.",
     "Use a larger buffer_size_kb or a shorter drain_period_ms."},
    {"extreme_ftrace_drain_period", "The period of reading kernel events is unusual",
     "drain_period_ms is shorter than 100 ms, which costs CPU time of the recorded machine, or "
     "longer than a minute, during which buffers overflow.",
     "Leave drain_period_ms out, or set it to between 100 and 60000."},
    {"syscalls_without_filter", "All system calls are recorded",
     "The config records the begin or end of each system call. These events are so many that they "
     "slow the machine and push other events out of the buffer.",
     "Name the system calls that you need in syscall_events."},
    {"function_graph_requires_symbolize_ksyms", "Kernel functions have no names",
     "The config records calls of kernel functions, but does not resolve their addresses. The "
     "slices have no names of functions.",
     "Set symbolize_ksyms to true."},
    {"events_require_symbolize_ksyms", "Kernel addresses in events have no names",
     "The config records events that refer to kernel functions by address (workqueues, blocked "
     "reasons), but does not resolve the addresses.",
     "Set symbolize_ksyms to true."},
    {"discard_buffer_for_streaming", "A full buffer drops events of a long recording",
     "The config writes the trace into a file while it records, and a data source goes to a buffer "
     "with fill_policy DISCARD. A full buffer drops all events until it is written to the file.",
     "Use fill_policy RING_BUFFER for this buffer."},
    {"heapprofd_sampling_interval_too_low", "The heap profiler samples too often",
     "sampling_interval_bytes is below 100 kB. The profiled process becomes slow, the profiler's "
     "buffer can overflow, and the profile ends early.",
     "Set sampling_interval_bytes to 102400 or more, or leave it out."},
    {"display_video_not_enabled", "There is no video of the display",
     "The config asks for a video of the display (android.display.video), but the trace has no "
     "frame of it. The device runs a user build, which does not allow such recordings by default.",
     "Enable recordings of the display in the developer settings, or use a userdebug build."},
};

// The file and machine of one config, and what of their stats and metadata matters.
class Evidence {
 public:
  Evidence(Scope scope, bool has_video, std::span<const StatBump> bumps, const Located& located,
           const Store& store)
      : scope_(scope), has_video_(has_video), located_(located), store_(store) {
    for (const StatBump& bump : bumps)
      if (bump.file == scope.file && bump.machine == scope.machine && bump.value > 0)
        note(kind_of(bump.stat));
  }

  // Returns the confidence of the finding; nothing if the file contradicts it.
  std::optional<double> confidence(const Diagnostic& found) const {
    constexpr double kConfirmed = 0.9;
    switch (found.rule) {
      case DiagnosticRule::PreserveFtraceBufferLateStart:
        return started_late() ? std::optional(found.confidence) : std::nullopt;
      case DiagnosticRule::TinyFtraceBuffer:
      case DiagnosticRule::LowFtraceDrainBandwidth:
      case DiagnosticRule::SyscallsWithoutFilter:
        return has_ftrace_loss_ ? kConfirmed : found.confidence;
      case DiagnosticRule::HeapprofdSamplingIntervalTooLow:
        return has_heapprofd_error_ ? kConfirmed : found.confidence;
      case DiagnosticRule::DisplayVideoNotEnabled:
        if (has_video_ || has_video_error_ || !is_user_build()) return std::nullopt;
        return found.confidence;
      default:
        return found.confidence;
    }
  }

 private:
  void note(const StatKind& kind) {
    has_ftrace_loss_ |= kind.name == "ftrace_cpu_has_data_loss" ||
                        kind.name == "ftrace_cpu_overrun_delta" ||
                        kind.name == "ftrace_cpu_commit_overrun_delta";
    if (kind.severity == Severity::Error)
      has_heapprofd_error_ |= kind.name.starts_with("heapprofd");
    if (kind.severity == Severity::Error || kind.severity == Severity::DataLoss)
      has_video_error_ |= kind.name.starts_with("android_video_");
  }

  // Calls `use` with the rows of metadata of this file or machine that have the key.
  template <class Use>
  void for_each_fact(std::string_view key, Use use) const {
    const MetadataTable& table = store_.metadata;
    const StringId name = store_.strings.find(key);
    const auto is_same = [](OptRow at, uint32_t wanted) {
      return at.row == OptRow::kNull || at.row == wanted;
    };
    for (size_t row = 0; name && row < table.rows(); ++row)
      if (table.name[row] == name && is_same(table.machine_id[row], scope_.machine.row) &&
          is_same(table.trace_id[row], scope_.file.row))
        use(row);
  }

  bool started_late() const {
    constexpr int64_t kLate = 300'000'000'000;  // ns after boot
    bool is_late = false;
    for_each_fact("tracing_started_ns", [&](size_t row) {
      is_late = boottime_of(store_.metadata.int_value[row].value) > kLate;
    });
    return is_late;
  }

  // Returns the time itself if trace time is not related to BOOTTIME.
  int64_t boottime_of(int64_t ts) const {
    const ClockGraph& graph = located_.graph;
    const auto boottime = graph.find({.domain = domain::kBoottime, .machine = scope_.machine});
    const ClockId trace_time = located_.placement.trace_time();
    if (!boottime || !trace_time || *boottime == trace_time) return ts;
    const Placement to_boottime = graph.solve_for(*boottime, located_.placement.model());
    PlaceCursor cursor = to_boottime.cursor(trace_time);
    int64_t reading = ts;
    if (cursor.has_place()) cursor.place_ns(ts, reading);
    return reading;
  }

  // The type of the build: brand/product/device:15/ID/42:user/keys.
  bool is_user_build() const {
    bool is_user = false;
    for_each_fact("android_build_fingerprint", [&](size_t row) {
      const std::string_view text = store_.strings.get(store_.metadata.str_value[row]);
      const size_t colon = text.rfind(':');
      if (colon == std::string_view::npos) return;
      const std::string_view type = text.substr(colon + 1);
      is_user = type.substr(0, type.find('/')) == "user";
    });
    return is_user;
  }

  Scope scope_;
  bool has_video_;
  const Located& located_;
  const Store& store_;
  bool has_ftrace_loss_ = false, has_heapprofd_error_ = false, has_video_error_ = false;
};

void append(const Diagnostic& found, double confidence, FileId file, Store& store) {
  const RuleText& text = kRules[static_cast<size_t>(found.rule)];
  DiagnosticTable& table = store.diagnostics;
  table.key.append(store.strings.intern(text.key));
  table.title.append(store.strings.intern(text.title));
  table.description.append(store.strings.intern(text.description));
  table.remediation.append(store.strings.intern(text.remediation));
  table.confidence.append(confidence);
  table.trace_id.append({file.row});
}

}  // namespace

void fill_diagnostics(std::span<const PlacedBatch> batches, std::span<const StatBump> bumps,
                      const Located& located, Store& store) {
  for (size_t first = 0; first < batches.size();) {
    size_t end = first;
    const PlacedBatch* from = nullptr;  // of the last config of the file
    bool has_video = false;
    for (; end < batches.size() && batches[end].file == batches[first].file; ++end) {
      if (batches[end].batch.config) from = &batches[end];
      has_video |= batches[end].batch.has_video_frames;
    }
    first = end;
    if (from == nullptr || from->batch.config->found.empty()) continue;
    std::vector<Diagnostic> found = from->batch.config->found;
    std::ranges::stable_sort(found, {}, &Diagnostic::rule);
    const Scope scope{from->file, from->machines[from->batch.config->machine]};
    const Evidence evidence(scope, has_video, bumps, located, store);
    for (const Diagnostic& each : found)
      if (const std::optional<double> confidence = evidence.confidence(each))
        append(each, *confidence, from->file, store);
  }
}

}  // namespace tracebraid
