// Kernel events in text: how each spells its fields (spec json 10.4). What an event means that
// traces of other formats have as well is stated by its fields, under their names there; what
// only text has is stated as slices and counters.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "format/common/kernel_details.h"
#include "format/common/kernel_fields.h"
#include "format/systrace/piece.h"

namespace tracebraid::systrace {

struct KernelHandler {
  std::string_view name;
  void (*handle)(const Line&, Piece&);
};

std::span<const KernelHandler> task_handlers();
std::span<const KernelHandler> power_handlers();
std::span<const KernelHandler> interrupt_handlers();
std::span<const KernelHandler> memory_handlers();
std::span<const KernelHandler> device_handlers();
std::span<const KernelHandler> binder_handlers();
std::span<const KernelHandler> graph_handlers();

// The event as it stands: a row of ftrace_event, and whatever it means by its name.
void state_event(const Line& line, Piece& piece);
// Likewise of one that no handler knows, by its text alone (state_text).
void state_other_event(const Line& line, Piece& piece);
// Only the row; with an arg set of its own, if given.
void state_row(const Line& line, Piece& piece);
void state_row(const Line& line, Piece& piece, uint32_t args);

using Field = KernelField;
// What the event means, without a row.
void state_meaning(const Line& line, std::string_view name, std::initializer_list<Field> fields,
                   Piece& piece);

KernelDetails details_of(const Line& line);

// Slices and counters of the reader's own, at the time of the line.
uint32_t thread_track(const Line& line, Piece& piece);
// A track called `name` of type ftrace_<kind>, of a CPU or of the machine.
uint32_t cpu_track(uint32_t cpu, std::string_view kind, std::string_view name, Piece& piece);
uint32_t machine_track(std::string_view kind, std::string_view name, Piece& piece);
// Likewise, with a lane for each cookie.
uint32_t lane_track(std::string_view kind, std::string_view name, uint64_t cookie, Piece& piece);
void begin(const Line& line, uint32_t track, std::string_view name, Piece& piece,
           uint32_t args = kNone);
// Of the innermost open slice, or of that called `name`.
void end(const Line& line, uint32_t track, std::string_view name, Piece& piece,
         uint32_t args = kNone);
void instant(const Line& line, uint32_t track, std::string_view name, Piece& piece,
             uint32_t args = kNone);
// A counter of the machine, told apart by `dimension` if it is not empty.
void count(const Line& line, const CounterKind& kind, std::string_view dimension, double value,
           Piece& piece);

}  // namespace tracebraid::systrace
