// Events that describe themselves as slices or counters by a field `track_event_type` or
// `counter_value` (spec proto 5.5, "Kernel track events").
#include <bit>
#include <optional>

#include "assemble/kernel/topics.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

struct Types {
  std::string_view slice, counter;
};
constexpr Types kThread{"kernel_trackevent_thread_slice", "kernel_trackevent_thread_counter"};
constexpr Types kProcess{"kernel_trackevent_process_slice", "kernel_trackevent_process_counter"};
constexpr Types kCpu{"kernel_trackevent_cpu_slice", "kernel_trackevent_cpu_counter"};
constexpr Types kCustom{"kernel_trackevent_custom_slice", "kernel_trackevent_custom_counter"};

std::optional<int64_t> custom_scope(const KernelEvent& e) {
  for (const ArgRow& row : e.rows)
    if (e.flat_name(row).starts_with("scope_") && row.type != ArgType::String) return row.value;
  return std::nullopt;
}

// Returns the letter of the phase, given as a number or as a text.
char phase_of(const KernelEvent& e) {
  if (e.is_text("track_event_type")) {
    const std::string_view text = e.text("track_event_type");
    return text.size() == 1 ? text.front() : '\0';
  }
  const int64_t letter = e.i64("track_event_type");
  return letter > 0 && letter < 128 ? static_cast<char>(letter) : '\0';
}

uint32_t track_of(KernelEmitter& out, const KernelEvent& e, bool is_counter) {
  const auto kind = [&](const Types& types, TrackScope scope) {
    return is_counter ? counter_kind(types.counter, scope)
                      : TrackKind{.type = types.slice, .scope = scope};
  };
  const std::string_view event = out.text(e.event.name);
  const std::string_view name = e.has("track_name") ? e.text("track_name") : event;
  const Dim tracepoint{"tracepoint", event}, named{"name", name};
  if (e.has("scope_tgid"))
    return out.track(e, kind(kProcess, TrackScope::Process), out.process_of(e, e.i32("scope_tgid")),
                     {tracepoint, named}, name);
  if (e.has("scope_cpu"))
    return out.track(e, kind(kCpu, TrackScope::Cpu), e.u32("scope_cpu"), {tracepoint, named}, name);
  if (const std::optional<int64_t> scope = custom_scope(e))
    return out.track(e, kind(kCustom, TrackScope::Global), kNone,
                     {{"scope", *scope}, tracepoint, named}, name);
  return out.track(e, kind(kThread, TrackScope::Thread), e.utid, {tracepoint, named}, name);
}

}  // namespace

void kernel_track_event(KernelEmitter& out, const KernelEvent& e) {
  const bool has_type = e.has("track_event_type");
  if (!has_type && !e.has("counter_value")) return;
  const char phase = has_type ? phase_of(e) : 'C';
  const bool is_counter = phase == 'C';
  const bool is_slice = phase == 'B' || phase == 'E' || phase == 'I';
  if ((!is_counter && !is_slice) || (is_counter && !e.is_number("counter_value")) ||
      (e.has("slice_name") && !e.is_text("slice_name")) ||
      (e.has("track_name") && !e.is_text("track_name")))
    return out.count(stats::kernel_trackevent_format_error, e);
  const uint32_t track = track_of(out, e, is_counter);
  const StringId name = e.has("slice_name") ? e.text_id("slice_name") : e.event.name;
  if (phase == 'B') out.begin(e, track, name);
  if (phase == 'E') out.end(e, track);
  if (phase == 'I') out.instant(e, track, name);
  if (is_counter) out.counter(e, track, e.real("counter_value"));
}

}  // namespace tracebraid
