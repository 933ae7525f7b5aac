// Kernel events in text, with the spelling of their fields (spec json 10.4). Events that other
// formats also have are emitted by their fields, under the names that these formats use; other
// events are emitted as slices and counters.
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

// Emits the event unchanged: a row of ftrace_event, and its meaning by its name.
void state_event(const Line& line, Piece& piece);
// Emits an event without a handler, by its text alone (state_text).
void state_other_event(const Line& line, Piece& piece);
// Emits only the row; with an arg set of its own, if given.
void state_row(const Line& line, Piece& piece);
void state_row(const Line& line, Piece& piece, uint32_t args);

using Field = KernelField;
// Emits only the meaning, without a row.
void state_meaning(const Line& line, std::string_view name, std::initializer_list<Field> fields,
                   Piece& piece);

KernelDetails details_of(const Line& line);

// Slices and counters of the reader itself, at the time of the line.
uint32_t thread_track(const Line& line, Piece& piece);
// Returns a track with this name of type ftrace_<kind>, of a CPU or of the machine.
uint32_t cpu_track(uint32_t cpu, std::string_view kind, std::string_view name, Piece& piece);
uint32_t machine_track(std::string_view kind, std::string_view name, Piece& piece);
// As cpu_track(), with a lane for each cookie.
uint32_t lane_track(std::string_view kind, std::string_view name, uint64_t cookie, Piece& piece);
void begin(const Line& line, uint32_t track, std::string_view name, Piece& piece,
           uint32_t args = kNone);
// Ends the innermost open slice, or the one with this name.
void end(const Line& line, uint32_t track, std::string_view name, Piece& piece,
         uint32_t args = kNone);
void instant(const Line& line, uint32_t track, std::string_view name, Piece& piece,
             uint32_t args = kNone);
// Emits a counter of the machine, distinguished by `dimension` if that is not empty.
void count(const Line& line, const CounterKind& kind, std::string_view dimension, double value,
           Piece& piece);

}  // namespace tracebraid::systrace
