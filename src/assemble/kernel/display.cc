// Displays, panels and other hardware whose events are instants (spec proto 5.5, "GPU, display,
// media" and "CPU, clocks, power").
#include <fmt/format.h>

#include "assemble/kernel/topics.h"

namespace tracebraid {
namespace {

// Emits an instant on a track with a number.
void numbered_instant(KernelEmitter& out, const KernelEvent& e, std::string_view type,
                      std::string_view dimension, std::string_view shown, int32_t number,
                      std::string_view name, ArgSource args) {
  const uint32_t track = out.track(e, {.type = type}, kNone, {{dimension, number}},
                                   [&] { return fmt::format("{}[{}]", shown, number); });
  out.instant(e, track, out.id(name), {.args = args});
}

void dpu_underrun(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .integer("vsync_count", e.i32("vsync_count"))
                             .integer("pending_frame", e.i32("frames_pending"))
                             .close();
  numbered_instant(out, e, "disp_dpu_underrun", "display_id", "underrun", e.i32("id"),
                   "disp_dpu_underrun", args);
}

void dpu_line_underrun(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .integer("vsync_count", e.i32("vsync_count"))
                             .integer("frames_pending", e.i32("frames_pending"))
                             .close();
  numbered_instant(out, e, "disp_dpu_line_underrun", "display_id", "line_underrun", e.i32("id"),
                   "disp_line_dpu_underrun", args);
}

void frame_problem(KernelEmitter& out, const KernelEvent& e, std::string_view name, bool is_done) {
  out.args()
      .integer("display_id", e.i32("display_id"))
      .uint("output_id", e.u32("output_id"))
      .integer("frames_pending", e.i32("frames_pending"))
      .integer("te_count", e.i32("te_count"));
  if (is_done) out.more_args().uint("during_disable", e.u32("during_disable"));
  numbered_instant(out, e, fmt::format("disp_{}", name), "panel_index", name, e.i32("display_id"),
                   name, out.more_args().close());
}

void start_timeout(KernelEmitter& out, const KernelEvent& e) {
  frame_problem(out, e, "frame_start_timeout", false);
}
void done_timeout(KernelEmitter& out, const KernelEvent& e) {
  frame_problem(out, e, "frame_done_timeout", true);
}
void start_missing(KernelEmitter& out, const KernelEvent& e) {
  frame_problem(out, e, "frame_start_missing", false);
}
void done_missing(KernelEmitter& out, const KernelEvent& e) {
  frame_problem(out, e, "frame_done_missing", true);
}

void vblank_irq_enable(KernelEmitter& out, const KernelEvent& e) {
  const int32_t output = e.i32("output_id");
  const uint32_t track =
      out.track(e, {.type = "disp_vblank_irq_enable"}, kNone, {{"display_id", output}},
                [=] { return fmt::format("vblank_irq_en[{}]", output); });
  if (!e.flag("enable")) {
    out.end(e, track);
    return;
  }
  const ArgSource args =
      out.args().integer("display_id", e.i32("id")).integer("output_id", output).close();
  out.begin(e, track, out.id("disp_vblank_irq_enable"), {.args = args});
}

void gram_collision(KernelEmitter& out, const KernelEvent& e) {
  numbered_instant(out, e, "ddic_underrun", "panel_index", "ddic_underrun", e.i32("panel_index"),
                   "ddic_underrun",
                   out.args().uint("collision_cnt", e.u32("collision_cnt")).close());
}

void panel_settings_full(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .boolean("hbm", e.flag("hbm"))
                             .uint("irc", e.u32("irc"))
                             .boolean("h_pwm", e.flag("h_pwm"))
                             .uint("fi_auto", e.u32("fi_auto"))
                             .uint("fi_manual", e.u32("fi_manual"))
                             .boolean("early_exit", e.flag("early_exit"))
                             .uint("min_rr", e.u32("min_rr"))
                             .uint("max_rr", e.u32("max_rr"))
                             .uint("te_freq", e.u32("te_freq"))
                             .close();
  numbered_instant(out, e, "panel_settings_full", "panel_index", "panel_settings_full",
                   e.i32("panel_index"), "panel_settings_full", args);
}

void panel_settings_lite(KernelEmitter& out, const KernelEvent& e) {
  const ArgSource args = out.args()
                             .boolean("vrr", e.flag("vrr"))
                             .uint("min_rr", e.u32("min_rr"))
                             .uint("max_rr", e.u32("max_rr"))
                             .uint("te_freq", e.u32("te_freq"))
                             .close();
  numbered_instant(out, e, "panel_settings_lite", "panel_index", "panel_settings_lite",
                   e.i32("panel_index"), "panel_settings_lite", args);
}

void google_event(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track =
      out.track(e, {.type = "interconnect_events"}, kNone, {}, "Interconnect Events");
  out.instant(e, track, e.text_id("event"), {.category = e.event.name});
}

void param_set_value_cpm(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view body = e.text("body");
  out.counter(e, out.track(e, counter_kind("pixel_cpm_counters"), kNone, {{"name", body}}, body),
              e.u32("value"));
}

void fwtp_counter(KernelEmitter& out, const KernelEvent& e) {
  const std::string_view name = e.text("name");
  out.counter(e, out.track(e, counter_kind("pixel_fwtp_counters"), kNone, {{"name", name}}, name),
              e.u32("value"));
}

void fwtp_slice(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t track = out.track(e, {.type = "pixel_fwtp_slices"}, kNone, {}, e.text_id("name"));
  out.end(e, track);
  if (e.flag("begin")) out.begin(e, track, e.text_id("name"), {.category = e.text_id("category")});
}

void sensorhub_data(KernelEmitter& out, const KernelEvent& e) {
  const uint32_t number = e.u32("ec_sensor_num");
  const uint32_t track =
      out.track(e, counter_kind("cros_ec_sensorhub_data"), kNone, {{"ec_sensor_num", number}},
                [=] { return fmt::format("cros_ec.cros_ec_sensorhub_data.{}", number); });
  const double latency =
      static_cast<double>(e.i64("current_time")) - static_cast<double>(e.i64("current_timestamp"));
  const auto delta = static_cast<int64_t>(e.u64("fifo_timestamp") - e.u64("current_timestamp"));
  const ArgSource args = out.args()
                             .integer("ec_num", number)
                             .integer("ec_delta", delta)
                             .integer("sample_ts", e.i64("current_timestamp"))
                             .close();
  out.counter(e, track, latency, args);
}

constexpr KernelHandler<NoState> kHandlers[] = {
    {"dpu_disp_dpu_underrun", dpu_underrun},
    {"dpu_disp_dpu_line_underrun", dpu_line_underrun},
    {"dpu_disp_frame_start_timeout", start_timeout},
    {"dpu_disp_frame_done_timeout", done_timeout},
    {"dpu_disp_frame_start_missing", start_missing},
    {"dpu_disp_frame_done_missing", done_missing},
    {"dpu_disp_vblank_irq_enable", vblank_irq_enable},
    {"gram_collision", gram_collision},
    {"panel_settings_full", panel_settings_full},
    {"panel_settings_lite", panel_settings_lite},
    {"google_icc_event", google_event},
    {"google_irm_event", google_event},
    {"param_set_value_cpm", param_set_value_cpm},
    {"fwtp_perfetto_counter", fwtp_counter},
    {"fwtp_perfetto_slice", fwtp_slice},
    {"cros_ec_sensorhub_data", sensorhub_data},
};

}  // namespace

std::unique_ptr<KernelTopic> display_topic() { return make_topic(kHandlers); }

}  // namespace tracebraid
