#include "format/proto/profile/sample_defaults.h"

#include <fmt/format.h>

#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

constexpr size_t kMaxFollowers = 64;

// Maps PerfEvents.Counter.
SampledCounter perf_counter(uint64_t counter) {
  constexpr std::string_view kNs = "ns";
  struct Known {
    std::string_view name, unit;
  };
  static constexpr Known kKnown[] = {{"unknown", ""},
                                     {"cpu-clock", kNs},
                                     {"page-faults", ""},
                                     {"task-clock", kNs},
                                     {"context-switches", ""},
                                     {"cpu-migrations", ""},
                                     {"minor-faults", ""},
                                     {"major-faults", ""},
                                     {"alignment-faults", ""},
                                     {"emulation-faults", ""},
                                     {"cpu-cycles", "cycles"},
                                     {"instructions", "instructions"},
                                     {"cache-references", ""},
                                     {"cache-misses", ""},
                                     {"branch-instructions", ""},
                                     {"branch-misses", ""},
                                     {"bus-cycles", ""},
                                     {"stalled-cycles-frontend", ""},
                                     {"stalled-cycles-backend", ""},
                                     {"ref-cycles", ""},
                                     {"dummy", ""}};
  const Known& known = kKnown[counter < std::size(kKnown) ? counter : 0];
  return {.name = std::string(known.name), .unit = std::string(known.unit)};
}

// Field numbers of an event in Timebase and in FollowerEvent.
struct PerfEventFields {
  uint32_t counter, tracepoint, raw_event, name, modifiers;
};
constexpr PerfEventFields kTimebaseFields{
    field::PerfEvents_Timebase::kCounter, field::PerfEvents_Timebase::kTracepoint,
    field::PerfEvents_Timebase::kRawEvent, field::PerfEvents_Timebase::kName,
    field::PerfEvents_Timebase::kModifiers};
constexpr PerfEventFields kFollowerFields{
    field::FollowerEvent::kCounter, field::FollowerEvent::kTracepoint,
    field::FollowerEvent::kRawEvent, field::FollowerEvent::kName, field::FollowerEvent::kModifiers};

// The writer's name takes precedence; modifiers give the CPU modes in which the event counts.
SampledCounter read_perf_event(Message fields, const PerfEventFields& numbers) {
  SampledCounter counter;
  std::string given, modes;
  while (fields.next()) {
    const uint32_t number = fields.number();
    if (number == numbers.counter) counter = perf_counter(fields.u64());
    if (number == numbers.name) given = fields.bytes();
    if (number == numbers.tracepoint)
      for (Message of = fields.message(); of.next();)
        if (of.number() == field::PerfEvents_Tracepoint::kName) counter.name = of.bytes();
    if (number == numbers.raw_event)
      for (Message of = fields.message(); of.next();)
        if (of.number() == field::PerfEvents_RawEvent::kConfig)
          counter.name = fmt::format("0x{:x}", of.u64());
    if (number == numbers.modifiers)
      for_each_varint(fields, [&](uint64_t modifier) {
        constexpr std::string_view kLetters = "?ukh";
        if (modifier > 0 && modifier < kLetters.size() && modes.size() < kLetters.size())
          modes += kLetters[modifier];
      });
  }
  if (!given.empty()) counter.name = given;
  if (!modes.empty()) counter.name += ':' + modes;
  return counter;
}

// Maps StackSample.Unit.
std::string_view unit_name(uint64_t unit) {
  static constexpr std::string_view kNames[] = {"",
                                                "ns",
                                                "cycles",
                                                "instructions",
                                                "bytes",
                                                "page-faults",
                                                "cache-misses",
                                                "cache-references",
                                                "branch-misses",
                                                "count"};
  return unit < std::size(kNames) ? kNames[unit] : "";
}

}  // namespace

PerfDefaults read_perf_defaults(Message message) {
  using Field = field::PerfSampleDefaults;
  PerfDefaults defaults;
  while (message.next()) {
    if (message.number() == Field::kTimebase) {
      SampledCounter timebase = read_perf_event(message.message(), kTimebaseFields);
      if (!timebase.name.empty()) defaults.timebase = std::move(timebase);
    }
    if (message.number() == Field::kProcessShardCount) defaults.shard_count = message.u32();
    if (message.number() == Field::kChosenProcessShard) defaults.chosen_shard = message.u32();
    if (message.number() == Field::kFollowers && defaults.followers.size() < kMaxFollowers)
      defaults.followers.push_back(read_perf_event(message.message(), kFollowerFields));
  }
  return defaults;
}

SampledCounter read_counter_descriptor(Message message) {
  using Field = field::StackSample_CounterDescriptor;
  constexpr uint64_t kScopeCpu = 2;
  SampledCounter counter;
  std::string unit;
  while (message.next()) {
    if (message.number() == Field::kName) counter.name = message.bytes();
    if (message.number() == Field::kUnit) counter.unit = unit_name(message.u64());
    if (message.number() == Field::kUnitStr) unit = message.bytes();
    if (message.number() == Field::kUnitMultiplier) counter.multiplier = message.u64();
    if (message.number() == Field::kDescription) counter.description = message.bytes();
    if (message.number() == Field::kScope) counter.of_cpu = message.u64() == kScopeCpu;
  }
  if (!unit.empty()) counter.unit = unit;
  return counter;
}

StackSampleDefaults read_stack_sample_defaults(Message message) {
  using Field = field::StackSampleDefaults;
  StackSampleDefaults defaults;
  while (message.next()) {
    if (message.number() == Field::kSource) defaults.source = message.bytes();
    if (message.number() == Field::kPrimaryDescriptor)
      defaults.primary = read_counter_descriptor(message.message());
    if (message.number() == Field::kFollowerDescriptors &&
        defaults.followers.size() < kMaxFollowers)
      defaults.followers.push_back(read_counter_descriptor(message.message()));
  }
  return defaults;
}

}  // namespace tracebraid::proto
