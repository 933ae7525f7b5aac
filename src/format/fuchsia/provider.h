// Provider: the state of one writer of a Fuchsia trace: the rate of its clock, and the strings and
// threads that its records refer to by number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "event/sink.h"
#include "format/fuchsia/records.h"

namespace tracebraid::fuchsia {

struct ThreadKoids {
  uint64_t process = 0, thread = 0;
};

struct Provider {
  uint64_t ticks_per_second = 1'000'000'000;
  std::vector<StringId> strings;  // by index; none: not defined
  std::array<std::optional<ThreadKoids>, 256> threads{};
};

// Returns nothing if the time does not fit.
std::optional<int64_t> ns_of_ticks(uint64_t ticks, const Provider& provider);

// Return a string or thread of a record, by number or from `words`. Undefined numbers are counted
// (fuchsia_invalid_string_ref, fuchsia_invalid_event).
StringId string_of(uint64_t ref, const Provider& provider, Words& words, EventSink& sink);
std::optional<ThreadKoids> thread_of(uint64_t ref, const Provider& provider, Words& words,
                                     EventSink& sink);

enum class ArgKind : uint8_t {
  Null = 0,
  Int32 = 1,
  Uint32 = 2,
  Int64 = 3,
  Uint64 = 4,
  Double = 5,
  String = 6,
  Pointer = 7,
  Koid = 8,
  Bool = 9,
  Blob = 10
};
struct Arg {
  StringId name;
  ArgKind kind = ArgKind::Null;
  int64_t bits = 0;  // bits of the value; for a string its row
};
// Returns nothing at the end; unknown kinds are counted and read as null.
std::optional<Arg> take_arg(const Provider& provider, Words& words, EventSink& sink);
std::vector<Arg> take_args(uint64_t count, const Provider& provider, Words& words, EventSink& sink);
std::optional<double> number_of(const Arg& arg);
// Returns an arg set; kNone without args.
uint32_t arg_set(const std::vector<Arg>& args, EventSink& sink);

}  // namespace tracebraid::fuchsia
