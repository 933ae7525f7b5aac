// The meaning of the fields of an event, by kind: one table for joining, checking, printing, and
// for random events of tests. event/make_event.h has the constructors.
//
// A new kind needs a case here (-Wswitch warns); all users of the table then handle its references.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "event/event.h"
#include "event/event_kind.h"

namespace tracebraid {

// Event::track: an index of the batch's names, or a number.
enum class TrackField : uint8_t {
  None,
  Track,
  Process,
  Thread,
  MaybeThread,  // or kNone
  Cpu,          // the number of a CPU, or kNone
  StatIndex,    // the index of an indexed stat, or kNone
};

// Event::value.
enum class ValueField : uint8_t {
  None,
  Number,    // defined by the comment of the kind
  Duration,  // ns
  Flag,      // 0 or 1
  Id,        // of a flow, all 64 bits
  Real,      // bits of a double
  Process,   // index of the process names
  Waking,    // CompactWaking
};

// Event::args.
enum class ArgsField : uint8_t {
  Set,     // an arg set, or kNone
  Number,  // a signed number of 32 bits
};

// Event::extra: an index of one of the batch's lists, or a number.
enum class ExtraField : uint8_t {
  None,
  Number,           // defined by the comment of the kind, or kNone
  Text,             // the row of a StringId, or kNone
  ArgSet,           // a second arg set, or kNone
  MaybeSliceExtra,  // EventBatch::slice_extras, or kNone
  MaybeFlowExtra,   // EventBatch::flow_extras, or kNone
  SwitchExtra,      // EventBatch::switches
  WakingExtra,      // EventBatch::wakings
  BlockedExtra,     // EventBatch::blocked
  SampleExtra,      // StackTables::samples
  MaybeHeapSample,  // StackTables::heap_samples, or kNone
  HeapGraph,        // StackTables::heap_graphs
  OutOfMemory,      // StackTables::out_of_memory
  JsonObject,       // JsonRecords::objects
  JsonId,           // JsonRecords::ids
  JsonLink,         // JsonRecords::links
  MemoryDump,       // MemoryRecords::dumps
};

struct EventTraits {
  std::string_view name = {};  // empty: the kind does not exist
  TrackField track = TrackField::None;
  ValueField value = ValueField::None;
  ArgsField args = ArgsField::Set;
  ExtraField extra = ExtraField::None;
  // Whether the arg set is read as a whole, once, and not extended, so that it can be packed
  // before.
  bool keeps_args = false;
};

namespace event_traits_detail {

constexpr EventTraits traits_of_kind(EventKind kind) {
  using enum EventKind;
  using T = TrackField;
  using V = ValueField;
  using A = ArgsField;
  using X = ExtraField;
  switch (kind) {
    case SliceBegin:
      return {"SliceBegin", T::Track, V::Number, A::Set, X::MaybeSliceExtra, true};
    case SliceEnd:
      return {"SliceEnd", T::Track, V::Number, A::Set, X::MaybeSliceExtra, true};
    case Slice:
      return {"Slice", T::Track, V::Duration, A::Set, X::MaybeSliceExtra, true};
    case Instant:
      return {"Instant", T::Track, V::None, A::Set, X::MaybeSliceExtra, true};
    case SliceBeginOnce:
      return {"SliceBeginOnce", T::Track, V::None, A::Set, X::MaybeSliceExtra, true};
    case AsyncStepBegin:
      return {"AsyncStepBegin", T::Track, V::Flag, A::Set, X::MaybeSliceExtra};
    case FlowStart:
      return {"FlowStart", T::Track, V::Id, A::Set, X::MaybeFlowExtra};
    case FlowStep:
      return {"FlowStep", T::Track, V::Id, A::Set, X::MaybeFlowExtra};
    case FlowEnd:
      return {"FlowEnd", T::Track, V::Id, A::Set, X::MaybeFlowExtra};
    case FlowEndHere:
      return {"FlowEndHere", T::Track, V::Id, A::Set, X::MaybeFlowExtra};
    case Counter:
      return {"Counter", T::Track, V::Real, A::Set, X::None, true};
    case CounterUntilNow:
      return {"CounterUntilNow", T::Track, V::Real};
    case State:
      return {"State", T::Track};
    case TrackSeen:
      return {"TrackSeen", T::Track, V::None, A::Set, X::None, true};
    case ProcessSeen:
      return {"ProcessSeen", T::Process, V::Number, A::Set};
    case ProcessName:
      return {"ProcessName", T::Process, V::Number};
    case ProcessParent:
      return {"ProcessParent", T::Process, V::Process};
    case ProcessCmdline:
      return {"ProcessCmdline", T::Process};
    case ProcessUid:
      return {"ProcessUid", T::Process, V::Number};
    case ProcessStart:
      return {"ProcessStart", T::Process, V::Number};
    case ProcessArgs:
      return {"ProcessArgs", T::Process};
    case ThreadSeen:
      return {"ThreadSeen", T::Thread};
    case ThreadName:
      return {"ThreadName", T::Thread, V::Number};
    case TaskRename:
      return {"TaskRename", T::Thread, V::Number};
    case ThreadStart:
      return {"ThreadStart", T::Thread};
    case ThreadEnd:
      return {"ThreadEnd", T::Thread, V::Flag};
    case ThreadArgs:
      return {"ThreadArgs", T::Thread};
    case NewTask:
      return {"NewTask", T::Thread, V::Number, A::Set, X::Number};
    case SchedSwitch:
      return {"SchedSwitch", T::Cpu, V::Number, A::Set, X::SwitchExtra};
    case SchedSwitchCompact:
      return {"SchedSwitchCompact", T::Cpu, V::Number, A::Number, X::Number, true};
    case SchedWaking:
      return {"SchedWaking", T::Cpu, V::Number, A::Set, X::WakingExtra};
    case SchedWakingCompact:
      return {"SchedWakingCompact", T::Cpu, V::Waking, A::Number, X::Number, true};
    case SchedBlocked:
      return {"SchedBlocked", T::Cpu, V::Number, A::Set, X::BlockedExtra};
    case ThreadState:
      return {"ThreadState", T::Thread, V::Duration};
    case FtraceEvent:
      return {"FtraceEvent", T::Cpu, V::Number, A::Set, X::Number};
    case FtraceMeaning:
      return {"FtraceMeaning", T::Cpu, V::Number, A::Set, X::Number};
    case FtraceRow:
      return {"FtraceRow", T::Cpu, V::Number, A::Set, X::Number};
    case Log:
      return {"Log", T::MaybeThread, V::Number, A::Set, X::Text};
    case ChromeRaw:
      return {"ChromeRaw", T::Thread};
    case UnfinishedComplete:
      return {"UnfinishedComplete", T::Thread, V::Number, A::Set, X::Text};
    case UnhandledEvent:
      return {"UnhandledEvent", T::Thread};
    case MetadataEvent:
      return {"MetadataEvent", T::Thread};
    case Row:
      return {"Row", T::None, V::Number, A::Set, X::ArgSet};
    case Sample:
      return {"Sample", T::MaybeThread, V::Real, A::Set, X::SampleExtra};
    case AggregateSamples:
      return {"AggregateSamples", T::None, V::Number};
    case HeapDump:
      return {"HeapDump", T::Process, V::Number, A::Set, X::MaybeHeapSample};
    case HeapGraph:
      return {"HeapGraph", T::Process, V::None, A::Set, X::HeapGraph};
    case OutOfMemory:
      return {"OutOfMemory", T::Process, V::None, A::Set, X::OutOfMemory};
    case MetadataTime:
      return {"MetadataTime", T::StatIndex, V::Number, A::Set, X::Number};
    case ObjectNew:
      return {"ObjectNew", T::Thread, V::None, A::Set, X::JsonObject};
    case ObjectSnapshot:
      return {"ObjectSnapshot", T::Thread, V::None, A::Set, X::JsonObject};
    case ObjectDelete:
      return {"ObjectDelete", T::Thread, V::None, A::Set, X::JsonObject};
    case ContextEnter:
      return {"ContextEnter", T::Thread, V::None, A::Set, X::JsonId};
    case ContextLeave:
      return {"ContextLeave", T::Thread, V::None, A::Set, X::JsonId};
    case LinkedIds:
      return {"LinkedIds", T::Thread, V::None, A::Set, X::JsonLink};
    case MemoryDump:
      return {"MemoryDump", T::Track, V::None, A::Set, X::MemoryDump};
  }
  return {};
}

constexpr auto make_table() {
  std::array<EventTraits, 256> table;  // any value of Event::kind
  for (size_t i = 0; i < table.size(); ++i) table[i] = traits_of_kind(static_cast<EventKind>(i));
  return table;
}

inline constexpr auto kTable = make_table();

}  // namespace event_traits_detail

constexpr const EventTraits& traits_of(EventKind kind) {
  return event_traits_detail::kTable[static_cast<uint8_t>(kind)];
}

constexpr bool is_optional(TrackField field) {
  return field == TrackField::None || field == TrackField::MaybeThread ||
         field == TrackField::Cpu || field == TrackField::StatIndex;
}

constexpr bool is_optional(ExtraField field) {
  return field == ExtraField::Text || field == ExtraField::MaybeSliceExtra ||
         field == ExtraField::MaybeFlowExtra || field == ExtraField::MaybeHeapSample;
}

}  // namespace tracebraid
