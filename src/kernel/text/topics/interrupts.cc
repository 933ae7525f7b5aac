// Interrupts and deferred work.
#include <charconv>
#include <string>

#include "base/words.h"
#include "event/plain_args.h"
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

uint32_t track_of(const Line& line, std::string_view what, Context& context) {
  return cpu_track(line.cpu, what, std::string(what) + " cpu " + std::to_string(line.cpu), context);
}

void irq_entry(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string name(details_of(line).text("name"));
  begin(line, track_of(line, "irqs", context), "IRQ (" + name + ")", context);
}

void irq_exit(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string_view ret = details_of(line).text("ret");
  context.sink().open_args();
  if (!ret.empty()) add_text("ret", ret, context.sink());
  end(line, track_of(line, "irqs", context), {}, context, context.sink().close_args());
}

// vec=3 [action=NET_RX]
void softirq_entry(const Line& line, Context& context) {
  emit_row(line, context);
  constexpr std::string_view kAction = "[action=";
  std::string_view action = details_of(line).text("vec");
  if (const size_t at = line.details.find(kAction); at != std::string_view::npos) {
    action = line.details.substr(at + kAction.size());
    action = action.substr(0, action.find(']'));
  }
  begin(line, track_of(line, "softirq", context), action, context);
}

void softirq_exit(const Line& line, Context& context) {
  emit_row(line, context);
  end(line, track_of(line, "softirq", context), {}, context);
}

void ipi_entry(const Line& line, Context& context) {
  emit_row(line, context);
  begin(line, track_of(line, "irqs", context), "IPI " + std::string(trim(line.details)), context);
}

void ipi_exit(const Line& line, Context& context) {
  emit_row(line, context);
  const std::string name = "IPI " + std::string(trim(line.details));
  end(line, track_of(line, "irqs", context), line.details.empty() ? "" : name, context);
}

void off(const Line& line, std::string_view what, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  EventSink& sink = context.sink();
  sink.open_args();
  add_text("caller", details.text("caller"), sink);
  add_text("parent", details.text("parent"), sink);
  const uint32_t args = sink.close_args();
  begin(line, track_of(line, what, context), details.text("caller"), context, args);
}

void on(const Line& line, std::string_view what, Context& context) {
  emit_row(line, context);
  end(line, track_of(line, what, context), {}, context);
}

void preempt_off(const Line& line, Context& context) { off(line, "preempt", context); }
void preempt_on(const Line& line, Context& context) { on(line, "preempt", context); }
void irq_off(const Line& line, Context& context) { off(line, "irqoff", context); }
void irq_on(const Line& line, Context& context) { on(line, "irqoff", context); }

constexpr Handler kHandlers[] = {
    {"irq_handler_entry", irq_entry},  {"irq_handler_exit", irq_exit},
    {"softirq_entry", softirq_entry},  {"softirq_exit", softirq_exit},
    {"ipi_entry", ipi_entry},          {"ipi_exit", ipi_exit},
    {"preempt_disable", preempt_off},  {"preempt_enable", preempt_on},
    {"irq_disable", irq_off},          {"irq_enable", irq_on},
    {"local_timer_entry", emit_event}, {"local_timer_exit", emit_event},
};

}  // namespace

std::span<const Handler> interrupt_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
