// Frames that SurfaceFlinger expected, and their outcomes.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/gpu/frames.h"
#include "format/proto/gpu/stats.h"

namespace tracebraid::proto {
namespace {

using Event_ = field::FrameTimelineEvent;
using ActualDisplay = field::FrameTimelineEvent_ActualDisplayFrameStart;
using ActualSurface = field::FrameTimelineEvent_ActualSurfaceFrameStart;

// Bits of a jank type.
enum Jank : uint32_t {
  kNoJank = 1,
  kAppDeadlineMissed = 64,
  kBufferStuffing = 128,
  kUnknownJank = 256,
  kStuffing = 512,
  kDroppedFrame = 1024,
  kNonAnimating = 2048,
  kResyncedJitter = 4096,
  kDisplayNotOn = 8192,
  kPowerModeChange = 32768,
  kOfDisplay = 2 | 4 | 8 | 16 | 32,
  kOfApp = kAppDeadlineMissed | kResyncedJitter | kUnknownJank,
};
constexpr int64_t kPresentDropped = 4;

struct JankName {
  uint32_t bit;
  std::string_view name;
};
constexpr JankName kJankNames[] = {
    {2, "SurfaceFlinger Scheduling"},
    {4, "Prediction Error"},
    {8, "Display HAL"},
    {16, "SurfaceFlinger CPU Deadline Missed"},
    {32, "SurfaceFlinger GPU Deadline Missed"},
    {kAppDeadlineMissed, "App Deadline Missed"},
    {kResyncedJitter, "App Resynced Jitter"},
    {kBufferStuffing, "Buffer Stuffing"},
    {kUnknownJank, "Unknown Jank"},
    {kStuffing, "SurfaceFlinger Stuffing"},
    {kDroppedFrame, "Dropped Frame"},
    {kNonAnimating, "Non Animating"},
    {kDisplayNotOn, "Display not ON"},
    {16384, "ModeChange in progress"},
    {kPowerModeChange, "PowerModeChange in progress"},
};

std::string jank_text(uint32_t jank) {
  if (jank == 0) return "Unspecified";
  std::string text;
  for (const JankName& kind : kJankNames)
    if ((jank & kind.bit) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", kind.name);
  return text.empty() && (jank & kNoJank) != 0 ? "None" : text;  // "": only bits without a name
}

bool is_imperceptible(uint32_t jank) {
  return jank == kNonAnimating || jank == kDisplayNotOn || jank == kPowerModeChange;
}

std::string_view surface_tag(uint32_t jank, int64_t present) {
  if (jank == 0) return "Unspecified";
  if ((jank & kOfApp) != 0) return "Self Jank";
  if ((jank & kOfDisplay) != 0) return "Other Jank";
  if (jank == kBufferStuffing) return "Buffer Stuffing";
  if (jank == kStuffing) return "SurfaceFlinger Stuffing";
  if (present == kPresentDropped) return "Dropped Frame";
  return is_imperceptible(jank) ? "Non-perceivable Jank" : "No Jank";
}

std::string_view display_tag(uint32_t jank) {
  if (jank == 0) return "Unspecified";
  if ((jank & kOfDisplay) != 0) return "Self Jank";
  if (jank == kStuffing) return "SurfaceFlinger Stuffing";
  if (jank == kDroppedFrame) return "Dropped Frame";
  return is_imperceptible(jank) ? "Non-perceivable Jank" : "No Jank";
}

std::string_view present_text(int64_t type) {
  constexpr std::string_view kNames[] = {"Unspecified Present", "On-time Present",
                                         "Late Present",        "Early Present",
                                         "Dropped Frame",       "Unknown Present"};
  return type >= 0 && type < std::ssize(kNames) ? kNames[type] : "Unknown Present";
}

std::string_view prediction_text(int64_t type) {
  constexpr std::string_view kNames[] = {"Unspecified Prediction", "Valid Prediction",
                                         "Expired Prediction", "Unknown Prediction"};
  return type >= 0 && type < std::ssize(kNames) ? kNames[type] : "Unknown Prediction";
}

// Older traces lack the severity: there is no jank, or its severity is not known.
std::string_view severity_text(std::optional<int64_t> type, uint32_t jank) {
  constexpr std::string_view kNames[] = {"Unknown", "None", "Partial", "Full"};
  if (!type) return jank == kNoJank ? "None" : "Unknown";
  return *type >= 0 && *type < std::ssize(kNames) ? kNames[*type] : "Unknown";
}

// The start of a frame, of any of the four kinds.
struct Frame {
  bool is_actual = false, is_surface = false;
  std::optional<int64_t> cookie, token, display_token, pid;
  std::optional<std::string_view> layer;
  int64_t present = 0, prediction = 0, present_experimental = 0;
  std::optional<int64_t> severity;
  uint32_t jank = 0, jank_experimental = 0;
  bool on_time = false, gpu_composition = false;
  std::optional<bool> is_buffer;
  double delay_ms = 0, jitter_ms = 0, score = 0, metadata = 0;
  std::optional<int64_t> latched, addressable, fence;
  std::optional<double> animation_ms;
};

void read_display(const Message& message, Frame& f) {
  for (Message fields = message; fields.next();) {
    switch (fields.number()) {
      case ActualDisplay::kCookie:
        f.cookie = fields.i64();
        break;
      case ActualDisplay::kToken:
        f.token = fields.i64();
        break;
      case ActualDisplay::kPid:
        f.pid = fields.i32();
        break;
      case ActualDisplay::kPresentType:
        f.present = fields.i32();
        break;
      case ActualDisplay::kOnTimeFinish:
        f.on_time = fields.flag();
        break;
      case ActualDisplay::kGpuComposition:
        f.gpu_composition = fields.flag();
        break;
      case ActualDisplay::kJankType:
        f.jank = fields.u32();
        break;
      case ActualDisplay::kPredictionType:
        f.prediction = fields.i32();
        break;
      case ActualDisplay::kJankSeverityType:
        f.severity = fields.i32();
        break;
      case ActualDisplay::kPresentDelayMillis:
        f.delay_ms = fields.real();
        break;
      case ActualDisplay::kJankSeverityScore:
        f.score = fields.real();
        break;
      case ActualDisplay::kJankTypeExperimental:
        f.jank_experimental = fields.u32();
        break;
      case ActualDisplay::kPresentTypeExperimental:
        f.present_experimental = fields.i32();
        break;
      case ActualDisplay::kJankDebugMetadata:
        f.metadata = fields.real();
        break;
      case ActualDisplay::kLatchedUnsignaledCount:
        f.latched = fields.i64();
        break;
      case ActualDisplay::kAddressableUnsignaledLatchCount:
        f.addressable = fields.i64();
        break;
      default:
        break;
    }
  }
}

void read_surface(const Message& message, Frame& f) {
  for (Message fields = message; fields.next();) {
    switch (fields.number()) {
      case ActualSurface::kCookie:
        f.cookie = fields.i64();
        break;
      case ActualSurface::kToken:
        f.token = fields.i64();
        break;
      case ActualSurface::kDisplayFrameToken:
        f.display_token = fields.i64();
        break;
      case ActualSurface::kPid:
        f.pid = fields.i32();
        break;
      case ActualSurface::kLayerName:
        f.layer = fields.bytes();
        break;
      case ActualSurface::kPresentType:
        f.present = fields.i32();
        break;
      case ActualSurface::kOnTimeFinish:
        f.on_time = fields.flag();
        break;
      case ActualSurface::kGpuComposition:
        f.gpu_composition = fields.flag();
        break;
      case ActualSurface::kJankType:
        f.jank = fields.u32();
        break;
      case ActualSurface::kPredictionType:
        f.prediction = fields.i32();
        break;
      case ActualSurface::kIsBuffer:
        f.is_buffer = fields.flag();
        break;
      case ActualSurface::kJankSeverityType:
        f.severity = fields.i32();
        break;
      case ActualSurface::kPresentDelayMillis:
        f.delay_ms = fields.real();
        break;
      case ActualSurface::kVsyncResyncedJitterMillis:
        f.jitter_ms = fields.real();
        break;
      case ActualSurface::kJankSeverityScore:
        f.score = fields.real();
        break;
      case ActualSurface::kJankTypeExperimental:
        f.jank_experimental = fields.u32();
        break;
      case ActualSurface::kPresentTypeExperimental:
        f.present_experimental = fields.i32();
        break;
      case ActualSurface::kJankDebugMetadata:
        f.metadata = fields.real();
        break;
      case ActualSurface::kLatchedFenceState:
        f.fence = fields.i32();
        break;
      case ActualSurface::kAnimationTimeMillis:
        f.animation_ms = fields.real();
        break;
      default:
        break;
    }
  }
}

void add_outcome(const Frame& f, PacketOutput& out) {
  const auto real = [&](std::string_view key, double value) {
    add_int(key, bits_of(value), out.sink, ArgType::Real);
  };
  const auto tag = [&](uint32_t jank, int64_t present) {
    return f.is_surface ? surface_tag(jank, present) : display_tag(jank);
  };
  add_text("Present type", present_text(f.present), out.sink);
  add_text("Present type (experimental)", present_text(f.present_experimental), out.sink);
  real("Present Delay (ms)", f.delay_ms);
  if (f.is_surface) real("Vsync Resynced Jitter (ms)", f.jitter_ms);
  add_int("On time finish", f.on_time ? 1 : 0, out.sink);
  add_int("GPU composition", f.gpu_composition ? 1 : 0, out.sink);
  add_text("Jank type", jank_text(f.jank), out.sink);
  add_text("Jank type (experimental)", jank_text(f.jank_experimental), out.sink);
  add_text("Jank severity type", severity_text(f.severity, f.jank), out.sink);
  real("Jank Severity Score", f.score);
  add_text("Prediction type", prediction_text(f.prediction), out.sink);
  add_text("Jank tag", tag(f.jank, f.present), out.sink);
  add_text("Jank tag (experimental)", tag(f.jank_experimental, f.present_experimental), out.sink);
  real("Jank Metadata (debugging only)", f.metadata);
  if (f.is_surface)
    add_text("Is Buffer?",
             std::string_view(!f.is_buffer   ? "Unspecified"
                              : *f.is_buffer ? "Yes"
                                             : "No"),
             out.sink);
  if (f.latched) add_int("Latched unsignaled count", *f.latched, out.sink);
  if (f.addressable) add_int("Addressable unsignaled latch count", *f.addressable, out.sink);
  if (f.fence)
    add_text(
        "Latched fence state",
        out.enum_text(
            "com.android.internal.FrameTimelineEvent.ActualSurfaceFrameStart.LatchedFenceState",
            *f.fence),
        out.sink);
  if (f.animation_ms) real("Animation Time (ms)", *f.animation_ms);
}

uint32_t args_of(const Frame& f, PacketOutput& out) {
  out.sink.open_args();
  if (f.is_surface) add_int("Surface frame token", *f.token, out.sink);
  add_int("Display frame token", f.is_surface ? *f.display_token : *f.token, out.sink);
  if (f.is_surface)
    add_text("Layer name", f.layer ? out.sink.string(*f.layer) : StringId{}, out.sink);
  if (f.is_actual) add_outcome(f, out);
  return out.sink.close_args();
}

// Stores flows from frames of surfaces to the display frame that shows them. Which flows exist is
// known after all frames have been read.
uint32_t keep_flows(const PacketInfo& packet, const Frame& f, FrameTimelineState& state,
                    EventSink& sink) {
  if (!f.is_actual) return kNone;
  std::vector<SliceExtra>& extras = sink.batch().slice_extras;
  const auto extra = static_cast<uint32_t>(extras.size());
  extras.emplace_back();
  state.actual.push_back(
      {packet.time.ticks, f.is_surface ? *f.display_token : *f.token, f.is_surface, extra});
  return extra;
}

void start_frame(const PacketInfo& packet, const Frame& f, FrameTimelineState& state,
                 PacketOutput& out) {
  if (!f.cookie || !f.token || !f.pid || (f.is_surface && !f.display_token))
    return out.count(stats::frame_timeline_event_parser_errors, packet);
  const std::string_view type =
      f.is_actual ? "android_actual_frame_timeline" : "android_expected_frame_timeline";
  const uint32_t track = out.sink.track(
      {.scope = TrackScope::Process,
       .lanes = Lanes::ByCookie,
       .machine = packet.machine,
       .owner = out.process(packet, *f.pid),
       .type = out.sink.string(type),
       .name = out.sink.string(f.is_actual ? "Actual Timeline" : "Expected Timeline"),
       .cookie = static_cast<uint64_t>(*f.cookie)});
  state.open[*f.cookie] = track;
  // Expected frames of a surface that repeat are one slice.
  if (f.is_surface && !f.is_actual && !state.expected.emplace(*f.pid, *f.token).second) return;
  const EventParts parts{.name = out.sink.string(std::to_string(*f.token)),
                         .args = args_of(f, out),
                         .extra = keep_flows(packet, f, state, out.sink)};
  out.sink.event(make_slice_begin(packet.time, track, parts));
}

void end_frame(const PacketInfo& packet, Message fields, FrameTimelineState& state,
               PacketOutput& out) {
  std::optional<int64_t> cookie;
  while (fields.next())
    if (fields.number() == field::FrameTimelineEvent_FrameEnd::kCookie) cookie = fields.i64();
  if (!cookie) return out.count(stats::frame_timeline_event_parser_errors, packet);
  const auto open = state.open.find(*cookie);
  if (open == state.open.end()) return out.count(stats::frame_timeline_unpaired_end_event, packet);
  out.sink.event(make_slice_end(packet.time, open->second));
  state.open.erase(open);
}

}  // namespace

void read_frame_timeline(const PacketInfo& packet, std::string_view message,
                         FrameTimelineState& state, PacketOutput& out) {
  constexpr int64_t kMargin = 10'000'000'000;  // ns
  if (packet.time.ticks < 0 || packet.time.ticks >= std::numeric_limits<int64_t>::max() - kMargin)
    return out.count(stats::frame_timeline_event_parser_errors, packet);
  bool has_event = false;
  for (Message fields(message); fields.next();) {
    Frame frame;
    has_event |= fields.number() <= Event_::kFrameEnd;
    switch (fields.number()) {
      // Expected frames use the field numbers of actual frames.
      case Event_::kExpectedDisplayFrameStart:
      case Event_::kActualDisplayFrameStart:
        frame.is_actual = fields.number() == Event_::kActualDisplayFrameStart;
        read_display(fields.message(), frame);
        start_frame(packet, frame, state, out);
        break;
      case Event_::kExpectedSurfaceFrameStart:
      case Event_::kActualSurfaceFrameStart:
        frame.is_surface = true;
        frame.is_actual = fields.number() == Event_::kActualSurfaceFrameStart;
        read_surface(fields.message(), frame);
        start_frame(packet, frame, state, out);
        break;
      case Event_::kFrameEnd:
        end_frame(packet, fields.message(), state, out);
        break;
      default:
        break;
    }
  }
  if (!has_event) out.count(stats::frame_timeline_event_parser_errors, packet);
}

// Writes actual frames in order of time. The recorder writes frames when they are over, those of
// the display before those of the surfaces.
void finish_frame_timeline(FrameTimelineState& state, EventSink& sink) {
  std::ranges::stable_sort(state.actual, {}, &FrameTimelineState::Actual::ticks);
  absl::flat_hash_map<int64_t, std::vector<uint64_t>> surfaces;  // flows by display token
  std::vector<FlowStep>& flows = sink.batch().flows;
  uint64_t next_flow = 1;
  for (const FrameTimelineState::Actual& frame : state.actual) {
    const size_t first = flows.size();
    if (frame.is_surface) {
      surfaces[frame.display_token].push_back(next_flow);
      flows.push_back({next_flow++, FlowStepKind::Anchor, false});
    } else if (const auto shown = surfaces.extract(frame.display_token)) {
      for (const uint64_t flow : shown.mapped())
        flows.push_back({flow, FlowStepKind::FromAnchor, false});
    }
    if (flows.size() == first) continue;
    flows.back().last = true;
    sink.batch().slice_extras[frame.extra].flows = static_cast<uint32_t>(first);
  }
}

}  // namespace tracebraid::proto
