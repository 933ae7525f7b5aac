// Frequencies, idle states, clocks, temperatures, voltages, buses.
#include <string>

#include "base/words.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

std::string_view first_word(const KernelDetails& details) {
  return details.rest.empty() ? std::string_view() : details.rest.front();
}

// Handles type=2 state=1000000 cpu_id=0; type 1 is an idle state, 2 a frequency.
void power_frequency(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::string_view name = details.text("type") == "1" ? "cpu_idle" : "cpu_frequency";
  if (!details.number("state") || !details.number("cpu_id")) return;
  emit_meaning(line, name, {{"state", details.text("state")}, {"cpu_id", details.text("cpu_id")}},
               context);
}

void power_start(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (!details.number("state") || !details.number("cpu_id")) return;
  emit_meaning(line, "cpu_idle",
               {{"state", details.text("state")}, {"cpu_id", details.text("cpu_id")}}, context);
}

// Accepts two spellings: min= and min_freq=.
void limits(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const auto either = [&](std::string_view a, std::string_view b) {
    return details.text(a).empty() ? details.text(b) : details.text(a);
  };
  const std::string_view min = either("min", "min_freq"), max = either("max", "max_freq");
  if (min.empty() || max.empty() || !details.number("cpu_id")) return;
  emit_meaning(line, "cpu_frequency_limits",
               {{"min_freq", min}, {"max_freq", max}, {"cpu_id", details.text("cpu_id")}}, context);
}

// Handles "<name> state=100000 cpu_id=0", or with name=.
void clock_with_state(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  std::string_view name = details.text("name");
  if (name.empty()) name = first_word(details);
  if (name.empty() || !details.number("state")) return;
  emit_meaning(line, line.name, {{"name", name, true}, {"state", details.text("state")}}, context);
}

// Handles "<name> 100000".
void clock_rate(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (details.rest.size() < 2 || !parse_decimal(details.rest[1])) return;
  emit_meaning(line, "clock_set_rate",
               {{"name", details.rest[0], true}, {"state", details.rest[1]}}, context);
}

template <bool kOn>
void clock_switched(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string_view name = first_word(details_of(line));
  if (name.empty()) return;
  emit_meaning(line, "clock_enable", {{"name", name, true}, {"state", kOn ? "1" : "0"}}, context);
}

void regulator(const Line& line, std::string_view what, double value, Context& context) {
  const std::string_view regulator = details_of(line).text("name");
  if (regulator.empty()) return;
  const std::string name = "vreg " + std::string(regulator) + " " + std::string(what);
  const std::string type = "ftrace_regulator_" + std::string(what);
  count(line, {.type = type, .name = name}, regulator, value, context);
}

template <bool kOn>
void regulator_switched(const Line& line, Context& context) {
  emit_row(line, context);
  regulator(line, "enabled", kOn ? 1 : 0, context);
}

void regulator_voltage(const Line& line, Context& context) {
  emit_row(line, context);
  if (const std::optional<int64_t> value = details_of(line).number("val"))
    regulator(line, "voltage", static_cast<double>(*value), context);
}

// Handles bus=DDR_C rw_bytes= r_bytes= w_bytes= cycles= ns=: bytes during the last ns.
void bus_usage(const Line& line, Context& context) {
  constexpr double kMiB = 1 << 20, kNsPerSecond = 1e9;
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  const std::string bus(details.text("bus"));
  const std::optional<int64_t> ns = details.number("ns");
  if (bus.empty() || !ns || *ns <= 0) return;
  for (const auto& [field, what] :
       {KernelPair{"r_bytes", "read"}, KernelPair{"w_bytes", "write"}}) {
    const std::optional<int64_t> bytes = details.number(field);
    if (!bytes) continue;
    const double rate =
        static_cast<double>(*bytes) / kMiB * kNsPerSecond / static_cast<double>(*ns);
    const std::string name = "bus " + bus + " " + std::string(what);
    const std::string type = "ftrace_bus_" + std::string(what);
    count(line, {.type = type, .name = name, .unit = "MiB/s"}, bus, rate, context);
  }
}

constexpr Handler kHandlers[] = {
    {"cpu_frequency", emit_event},
    {"cpu_idle", emit_event},
    {"cpu_frequency_limits", limits},
    {"power_frequency", power_frequency},
    {"power_start", power_start},
    {"clock_set_rate", clock_with_state},
    {"clock_enable", clock_with_state},
    {"clock_disable", clock_with_state},
    {"clk_set_rate", clock_rate},
    {"clk_enable", clock_switched<true>},
    {"clk_disable", clock_switched<false>},
    {"thermal_temperature", emit_event},
    {"cdev_update", emit_event},
    {"gpu_frequency", emit_event},
    {"gpu_mem_total", emit_event},
    {"gpu_work_period", emit_event},
    {"devfreq_frequency", emit_event},
    {"regulator_enable", regulator_switched<true>},
    {"regulator_enable_complete", regulator_switched<true>},
    {"regulator_disable", regulator_switched<false>},
    {"regulator_disable_complete", regulator_switched<false>},
    {"regulator_set_voltage_complete", regulator_voltage},
    {"memory_bus_usage", bus_usage},
};

}  // namespace

std::span<const Handler> power_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
