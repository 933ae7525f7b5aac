#include "kernel/text/fields.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/hex.h"
#include "base/words.h"
#include "event/event_kind.h"
#include "event/plain_args.h"
#include "kernel/text/details.h"

namespace tracebraid {
namespace {

using Fields = std::vector<KernelField>;

// A word and its number.
struct Numbered {
  std::string_view word, number;
};

std::string_view number_of(std::span<const Numbered> list, std::string_view word) {
  const auto at = std::ranges::find(list, word, &Numbered::word);
  return at == list.end() ? std::string_view() : at->number;
}

// Returns the text from `key` up to the next blank.
std::string_view word_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return take_word(text);
}

// Returns a number without leading zeros.
std::string_view without_padding(std::string_view number) {
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

// Parses "NR 64 (1, 7f00, ...)" and "NR 64 = 32".
Fields call(std::string_view text) {
  if (take_word(text) != "NR") return {};
  const std::string_view id = take_word(text);
  if (!parse_decimal(id)) return {};
  if (take_word(text) != "=") return {{"id", id}};
  return {{"id", id}, {"ret", trim(text)}};
}

// Parses "freeze_processes[0] begin".
Fields suspend_resume(std::string_view text) {
  const size_t open = text.find('['), close = text.find("] ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const std::string_view phase = trim(text.substr(close + 2));
  if (phase != "begin" && phase != "end") return {};
  return {{"action", text.substr(0, open), true},
          {"val", text.substr(open + 1, close - open - 1)},
          {"start", phase == "begin" ? "1" : "0"}};
}

// Parses "wlan_wake state=0x10001".
Fields wakeup_source(std::string_view text) {
  const size_t state = text.rfind(" state=");
  if (state == std::string_view::npos || state == 0) return {};
  return {{"name", text.substr(0, state), true}, {"state", text.substr(state + 7)}};
}

// Parses "usb 1-1, parent: usb1, noirq type [suspend]": driver, device; and "usb 1-1, err=0".
Fields device_callback(std::string_view text) {
  constexpr Numbered kEvents[] = {{"freeze", "1"},   {"suspend", "2"},  {"hibernate", "4"},
                                  {"quiesce", "8"},  {"resume", "16"},  {"thaw", "32"},
                                  {"restore", "64"}, {"recover", "128"}};
  constexpr std::string_view kParent = ", parent: ", kError = ", err=";
  const size_t comma = std::min(text.find(kParent), text.rfind(kError));
  const size_t blank = text.find(' ');
  if (comma == std::string_view::npos || blank > comma) return {};
  Fields fields{{"driver", text.substr(0, blank), true},
                {"device", trim(text.substr(blank, comma - blank)), true}};
  std::string_view rest = text.substr(comma);
  if (!rest.starts_with(kParent)) return fields;
  rest.remove_prefix(kParent.size());
  const size_t after = rest.find(", "), open = rest.rfind('[');
  if (after == std::string_view::npos || open == std::string_view::npos || open < after) return {};
  fields.push_back({"parent", rest.substr(0, after), true});
  fields.push_back({"pm_ops", trim(rest.substr(after + 2, open - after - 2)), true});
  const std::string_view event = rest.substr(open + 1, rest.find(']', open) - open - 1);
  fields.push_back({"event", number_of(kEvents, event)});
  return fields;
}

// Parses "cpu: 0001 target: 140 step:   5 (cpuhp_kick_ap_work)"; the end event has "state:" and
// "ret:".
Fields hotplug(std::string_view text) {
  const std::string_view cpu = word_after(text, "cpu:"), step = word_after(text, "step:");
  if (!parse_decimal(cpu) || !parse_decimal(step)) return {};
  return {{"cpu", without_padding(cpu)}, {"idx", step}};
}

// Parses "usb1 status=RPM_ACTIVE".
Fields runtime_power(std::string_view text) {
  constexpr Numbered kStates[] = {{"RPM_INVALID", "-1"},
                                  {"RPM_ACTIVE", "0"},
                                  {"RPM_RESUMING", "1"},
                                  {"RPM_SUSPENDED", "2"},
                                  {"RPM_SUSPENDING", "3"}};
  const std::string_view status = number_of(kStates, word_after(text, "status="));
  const std::string_view device = take_word(text);
  if (status.empty() || device.starts_with("status=")) return {};
  return {{"name", device, true}, {"status", status}};
}

// Parses "dev=eth0 skbaddr=00 len=52 rc=0".
Fields network(std::string_view text) {
  KernelDetails details;
  split_details(text, details);
  if (details.text("dev").empty()) return {};
  return {{"name", details.text("dev"), true},
          {"len", details.text("len")},
          {"rc", details.text("rc")},
          {"napi_id", details.text("napi_id")}};
}

// Parses "work struct ffff8801: function flush_all"; old kernels omit the function at the end.
Fields work(std::string_view text) {
  const std::string_view work = word_after(text, "work struct ");
  if (work.empty()) return {};
  return {{"work", work.substr(0, work.find(':')), true},
          {"function", word_after(text, ": function "), true}};
}

// Parses "vec=3 [action=NET_RX]".
Fields softirq(std::string_view text) {
  const std::string_view vec = word_after(text, "vec=");
  if (!parse_decimal(vec)) return {};
  return {{"vec", vec}};
}

// Parses "skbaddr=00 protocol=2048 location=tcp_v4_rcv+0x1/0x2 reason: NO_SOCKET".
Fields dropped_packet(std::string_view text) {
  const std::string_view protocol = word_after(text, "protocol=");
  if (!parse_decimal(protocol)) return {};
  return {{"protocol", protocol}};
}

// Parses "super_cache_scan+0x0/0x1a0 00f1: nid: 0 objects to shrink 10 ... total_scan 50 priority
// 12", and at the end "... last shrinker return val 49".
Fields shrinker(std::string_view text) {
  const std::string_view total = word_after(text, " total_scan ");
  if (!parse_decimal(total)) return {};
  Fields fields{{"total_scan", total},
                {"priority", word_after(text, " priority ")},
                {"retval", word_after(text, " return val ")}};
  const std::string_view function = take_word(text);
  fields.push_back({"shrink", function.substr(0, function.find('+')), true});
  return fields;
}

struct Form {
  std::string_view name;
  Fields (*read)(std::string_view);
};

constexpr Form kForms[] = {
    {"cpuhp_enter", hotplug},
    {"cpuhp_exit", hotplug},
    {"cpuhp_multi_enter", hotplug},
    {"device_pm_callback_end", device_callback},
    {"device_pm_callback_start", device_callback},
    {"kfree_skb", dropped_packet},
    {"mm_shrink_slab_end", shrinker},
    {"mm_shrink_slab_start", shrinker},
    {"napi_gro_receive_entry", network},
    {"net_dev_xmit", network},
    {"netif_receive_skb", network},
    {"rpm_status", runtime_power},
    {"softirq_entry", softirq},
    {"softirq_exit", softirq},
    {"suspend_resume", suspend_resume},
    {"sys_enter", call},
    {"sys_exit", call},
    {"wakeup_source_activate", wakeup_source},
    {"wakeup_source_deactivate", wakeup_source},
    {"workqueue_execute_end", work},
    {"workqueue_execute_start", work},
};
static_assert(std::ranges::is_sorted(kForms, {}, &Form::name));

}  // namespace

std::vector<KernelField> kernel_fields(std::string_view name, std::string_view details) {
  const auto at = std::ranges::lower_bound(kForms, name, {}, &Form::name);
  return at != std::end(kForms) && at->name == name ? at->read(details) : Fields();
}

uint32_t field_args(std::span<const KernelField> fields, EventSink& sink) {
  sink.open_args();
  for (const KernelField& field : fields) {
    if (field.text.empty()) continue;
    const std::optional<int64_t> number = field.is_text ? std::nullopt : parse_decimal(field.text);
    const std::optional<std::string_view> digits =
        field.is_text ? std::nullopt : digits_after_0x(field.text);
    const std::optional<uint64_t> hex = digits ? parse_hex(*digits) : std::nullopt;
    if (number)
      add_int(field.name, *number, sink);
    else if (hex)
      add_int(field.name, static_cast<int64_t>(*hex), sink, ArgType::Uint);
    else
      add_text(field.name, field.text, sink);
  }
  return sink.close_args();
}

void emit_text_event(std::string_view name, std::string_view details, bool keep_raw,
                     EventSink& sink, absl::FunctionRef<void(EventKind, uint32_t)> emit) {
  KernelDetails text;
  split_details(details, text);
  const Fields fields = kernel_fields(name, details);
  if (fields.empty() && text.rest.empty()) {
    const uint32_t args = details_args(text, sink);
    return emit(keep_raw ? EventKind::FtraceEvent : EventKind::FtraceMeaning, args);
  }
  if (keep_raw) emit(EventKind::FtraceRow, details_args(text, sink));
  if (!fields.empty()) emit(EventKind::FtraceMeaning, field_args(fields, sink));
}

}  // namespace tracebraid
