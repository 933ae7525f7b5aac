// Interrupts and deferred work.
#include <charconv>
#include <string>

#include "format/common/plain_args.h"
#include "format/systrace/kernel.h"

namespace tracebraid::systrace {
namespace {

uint32_t track_of(const Line& line, std::string_view what, Piece& piece) {
  return cpu_track(line.cpu, what, std::string(what) + " cpu " + std::to_string(line.cpu), piece);
}

void irq_entry(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::string name(details_of(line).text("name"));
  begin(line, track_of(line, "irqs", piece), "IRQ (" + name + ")", piece);
}

void irq_exit(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::string_view ret = details_of(line).text("ret");
  piece.sink().open_args();
  if (!ret.empty()) add_text("ret", ret, piece.sink());
  end(line, track_of(line, "irqs", piece), {}, piece, piece.sink().close_args());
}

// Handles vec=3 [action=NET_RX].
void softirq_entry(const Line& line, Piece& piece) {
  state_row(line, piece);
  constexpr std::string_view kAction = "[action=";
  std::string_view action = details_of(line).text("vec");
  if (const size_t at = line.details.find(kAction); at != std::string_view::npos) {
    action = line.details.substr(at + kAction.size());
    action = action.substr(0, action.find(']'));
  }
  begin(line, track_of(line, "softirq", piece), action, piece);
}

void softirq_exit(const Line& line, Piece& piece) {
  state_row(line, piece);
  end(line, track_of(line, "softirq", piece), {}, piece);
}

void ipi_entry(const Line& line, Piece& piece) {
  state_row(line, piece);
  begin(line, track_of(line, "irqs", piece), "IPI " + std::string(trim(line.details)), piece);
}

void ipi_exit(const Line& line, Piece& piece) {
  state_row(line, piece);
  const std::string name = "IPI " + std::string(trim(line.details));
  end(line, track_of(line, "irqs", piece), line.details.empty() ? "" : name, piece);
}

void off(const Line& line, std::string_view what, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  EventSink& sink = piece.sink();
  sink.open_args();
  add_text("caller", details.text("caller"), sink);
  add_text("parent", details.text("parent"), sink);
  const uint32_t args = sink.close_args();
  begin(line, track_of(line, what, piece), details.text("caller"), piece, args);
}

void on(const Line& line, std::string_view what, Piece& piece) {
  state_row(line, piece);
  end(line, track_of(line, what, piece), {}, piece);
}

void preempt_off(const Line& line, Piece& piece) { off(line, "preempt", piece); }
void preempt_on(const Line& line, Piece& piece) { on(line, "preempt", piece); }
void irq_off(const Line& line, Piece& piece) { off(line, "irqoff", piece); }
void irq_on(const Line& line, Piece& piece) { on(line, "irqoff", piece); }

constexpr KernelHandler kHandlers[] = {
    {"irq_handler_entry", irq_entry},   {"irq_handler_exit", irq_exit},
    {"softirq_entry", softirq_entry},   {"softirq_exit", softirq_exit},
    {"ipi_entry", ipi_entry},           {"ipi_exit", ipi_exit},
    {"preempt_disable", preempt_off},   {"preempt_enable", preempt_on},
    {"irq_disable", irq_off},           {"irq_enable", irq_on},
    {"local_timer_entry", state_event}, {"local_timer_exit", state_event},
};

}  // namespace

std::span<const KernelHandler> interrupt_handlers() { return kHandlers; }

}  // namespace tracebraid::systrace
