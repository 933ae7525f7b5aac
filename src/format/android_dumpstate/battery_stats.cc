#include "format/android_dumpstate/battery_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/clock_domain.h"
#include "base/words.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/android_dumpstate/stats.h"

namespace tracebraid::android_dumpstate {
namespace {

struct Item {
  std::string_view short_name, long_name;
  std::string_view values;  // "off=0 light=1": numbers of texts
};
constexpr Item kEvents[] = {
#define TB_BATTERY_EVENT(short_name, long_name) {short_name, long_name, {}},
#define TB_BATTERY_STATE(short_name, long_name, values)
#include "format/android_dumpstate/generated/battery_stats.inc"
#undef TB_BATTERY_EVENT
#undef TB_BATTERY_STATE
};
constexpr Item kStates[] = {
#define TB_BATTERY_EVENT(short_name, long_name)
#define TB_BATTERY_STATE(short_name, long_name, values) {short_name, long_name, values},
#include "format/android_dumpstate/generated/battery_stats.inc"
#undef TB_BATTERY_EVENT
#undef TB_BATTERY_STATE
};

template <size_t kCount>
const Item* find(const Item (&items)[kCount], std::string_view short_name) {
  const Item* at = std::ranges::find(items, short_name, &Item::short_name);
  return at == std::end(items) ? nullptr : at;
}

// Returns the number of a text in a list of values.
std::optional<int64_t> value_of(std::string_view values, std::string_view text) {
  while (!values.empty()) {
    const size_t end = std::min(values.find(' '), values.size());
    const std::string_view value = values.substr(0, end);
    const size_t equals = value.rfind('=');
    if (value.substr(0, equals) == text) return parse_decimal(value.substr(equals + 1));
    values.remove_prefix(std::min(end + 1, values.size()));
  }
  return std::nullopt;
}

// Removes and returns the text before the next comma.
std::string_view take_field(std::string_view& text) {
  const size_t end = std::min(text.find(','), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

// Returns the place of a letter in a list, from 0.
std::optional<int64_t> letter_number(std::string_view letters, std::string_view text) {
  const size_t at = text.size() == 1 ? letters.find(text[0]) : std::string_view::npos;
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<int64_t>(at));
}

}  // namespace

void BatteryStats::line(std::string_view text, uint64_t at) {
  constexpr std::string_view kTexts = "9,hsp,", kHistory = "9,h,";
  constexpr size_t kMostText = 256;
  bool is_whole = true;
  if (text.starts_with(kBatteryStats)) {
    std::string_view fields = text.substr(kBatteryStats.size());
    version_ = parse_decimal(take_field(fields)).value_or(0);
  } else if (text.starts_with(kTexts)) {
    is_whole = read_text(text.substr(kTexts.size()));
  } else if (text.starts_with(kHistory)) {
    is_whole = read_history(text.substr(kHistory.size()));
  }
  if (!is_whole) sink_.count(stats::android_br_parse_errors, at, text.substr(0, kMostText));
}

// Reads: index, uid, text in quotes.
bool BatteryStats::read_text(std::string_view fields) {
  const std::optional<int64_t> index = parse_decimal(take_field(fields));
  const std::string_view uid = take_field(fields);
  if (!index || fields.size() < 2 || !fields.starts_with('"') || !fields.ends_with('"'))
    return false;
  texts_[*index] = {std::string(uid), std::string(fields.substr(1, fields.size() - 2))};
  return true;
}

// Reads "0:RESET:TIME:1700000000000", or the ms since the last line and items.
bool BatteryStats::read_history(std::string_view fields) {
  const std::string_view first = take_field(fields);
  if (first.find(':') != std::string_view::npos) return set_time(first);
  const std::optional<int64_t> passed = parse_decimal(first);
  if (!passed || !ms_ || __builtin_add_overflow(*ms_, *passed, &*ms_)) return false;
  while (!fields.empty()) item(take_field(fields));
  return true;
}

bool BatteryStats::set_time(std::string_view mark) {
  constexpr std::string_view kTime = ":TIME:";
  const size_t at = mark.rfind(kTime);
  if (at == std::string_view::npos) return true;  // a mark without a time
  const std::optional<int64_t> ms = parse_decimal(mark.substr(at + kTime.size()));
  if (ms) ms_ = ms;
  return ms.has_value();
}

// Reads "+S", "-w=5", "Bl=80", "Etp=2".
void BatteryStats::item(std::string_view text) {
  const size_t signs = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  const std::string_view sign = text.substr(0, signs);
  text.remove_prefix(signs);
  const size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  if (find(kEvents, name) != nullptr) return event(sign, name, value);
  if (name == "w") {
    constexpr int64_t kFirstWithLocks = 36;
    if (!value.empty() && !sign.empty() && version_ >= kFirstWithLocks)
      wake_lock(sign == "+", value);
    return;
  }
  if (!sign.empty()) return state(name, sign == "+" ? "1" : "0");
  if (!battery(name, value)) state(name, value);
}

void BatteryStats::event(std::string_view sign, std::string_view name, std::string_view index) {
  const auto at = texts_.find(parse_decimal(index).value_or(-1));
  if (at == texts_.end()) return;
  const std::string_view long_name = find(kEvents, name)->long_name;
  const uint32_t track =
      tracks_.track({.type = sink_.string("battery_stats"),
                     .name = sink_.string(fmt::format("battery_stats.{}", long_name))},
                    {{"bstats_item_name", long_name}});
  const std::string text =
      fmt::format("{}{}={}:\"{}\"", sign, long_name, at->second.uid, at->second.text);
  sink_.event(make_instant(time(), track, {.name = sink_.string(text)}));
}

void BatteryStats::wake_lock(bool is_start, std::string_view index) {
  const std::optional<int64_t> number = parse_decimal(index);
  const auto at = number ? texts_.find(*number) : texts_.end();
  if (at == texts_.end()) return;
  const uint32_t track = tracks_.track({.lanes = Lanes::ByCookie,
                                        .type = sink_.string("dumpstate_wakelocks"),
                                        .name = sink_.string("WakeLocks"),
                                        .cookie = static_cast<uint64_t>(*number)});
  const EventParts parts{.name = sink_.string(at->second.text)};
  sink_.event(is_start ? make_slice_begin(time(), track, parts) : make_slice_end(time(), track));
}

void BatteryStats::state(std::string_view name, std::string_view value) {
  const Item* known = find(kStates, name);
  if (known == nullptr) return;
  std::optional<int64_t> number = parse_decimal(value);
  if (!number) number = value_of(known->values, value);
  if (!number) return;
  const std::string shown = fmt::format("battery_stats.{}", known->long_name);
  counter("battery_stats", shown, static_cast<double>(*number), {{"counter_key", shown}});
  if (name == "S") counter("screen_state", "ScreenState", *number == 0 ? 1 : 2);
}

// Returns false for an item that does not describe the battery.
bool BatteryStats::battery(std::string_view name, std::string_view value) {
  constexpr double kMicro = 1000;  // of a thousandth
  const std::optional<int64_t> number = parse_decimal(value);
  const auto add = [&](std::string_view what, double scale) {
    if (number)
      counter("battery_counter", fmt::format("batt.{}", what), static_cast<double>(*number) * scale,
              {{"battery_name", std::string_view()}, {"counter_name", what}});
    return true;
  };
  if (name == "Bl") return add("capacity_pct", 1);
  if (name == "Bcc") return add("charge_uah", kMicro);
  if (name == "Bv") return add("voltage_uv", kMicro);
  if (name == "Bs") {
    if (const auto letter = letter_number("?cdnf", value))
      counter("battery_status", "BatteryStatus", static_cast<double>(*letter + 1));
    return true;
  }
  if (name == "Bp") {
    if (const auto letter = letter_number("nau w", value))
      counter("battery_plugged_status", "PlugType", static_cast<double>(*letter));
    return true;
  }
  return false;
}

void BatteryStats::counter(std::string_view type, std::string_view name, double value,
                           Dimensions dimensions) {
  const uint32_t track = tracks_.global_counter(0, {.type = type, .name = name}, dimensions);
  emit_counter(time(), track, value, sink_);
}

EventTime BatteryStats::time() {
  constexpr int64_t kNsPerMs = 1'000'000;
  int64_t ns = 0;
  if (__builtin_mul_overflow(*ms_, kNsPerMs, &ns)) ns = std::numeric_limits<int64_t>::max();
  return {ns, sink_.clock({.domain = domain::kRealtime, .by_default = true})};
}

}  // namespace tracebraid::android_dumpstate
