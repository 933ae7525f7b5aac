// Own: data that our exporter adds to a protobuf trace, in fields that no schema has, so that
// importing the file gives the same tables (docs/exports.md). Other programs skip these fields; the
// rest is an ordinary trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto::own {

// The field number in each message: beyond the range of schemas.
inline constexpr uint32_t kField = 98'000;

// Field of a ClockSnapshot: the clocks of the machine as the trace had them. Replaces the clocks of
// the message, which are for other programs. Empty in messages that repeat readings for them.
struct Clocks {
  enum Field : uint32_t {
    kTraceClock = 1,  // domain of trace time, a clock of machine 0; BOOTTIME if it is missing
    kTime = 2,        // any time of the file
    kReadings = 3,    // Readings
    kShift = 4,       // ns; times of the file are trace times plus this
  };
};
// Readings of clocks at a time of the file.
struct Readings {
  enum Field : uint32_t {
    kTime = 1,
    kClock = 2,  // ClockSnapshot.Clock
  };
};

// Field of a TrackDescriptor: a ThreadDescriptor that other programs must not read, because they
// would give the thread a process.
inline constexpr uint32_t kThreadField = 98'001;

// Field of a TracePacket: a GenericKernelTaskStateEvent that other programs must not read.
inline constexpr uint32_t kTaskField = 98'003;
// Field of a GenericKernelTaskStateEvent: the rows of thread_state and sched that it stands for.
// Without kDur it has no row of thread_state, without kSchedDur none of sched; an event of an empty
// field has no rows and is for other programs.
struct TaskState {
  enum Field : uint32_t {
    kDur = 1,
    kState = 2,
    kCpu = 3,
    kIoWait = 4,
    kFunction = 5,
    kSchedDur = 6,
    kPriority = 7,
    kSchedCpu = 8,
    kEndState = 9,
  };
};

// Field of a TrackDescriptor: the kind of its track. The name is that of the descriptor.
struct Track {
  enum Field : uint32_t {
    kType = 1,
    kCpu = 2,  // the CPU of a CPU track
    kGpu = 3,
    kUnit = 4,
    kDimension = 5,  // Arg; without those of the owner
    kSource = 6,     // Arg
    kGroup = 7,      // tracks of one group are lanes of one track
  };
};

// Field of a ProcessDescriptor and a ThreadDescriptor: the row of process or thread.
struct Owner {
  enum Field : uint32_t {
    kStart = 1,      // trace time, like all times here
    kIsNewLife = 2,  // the start of a new life of this number
    kEnd = 3,
    kArg = 4,  // Arg
    kCmdline = 5,
    kUid = 6,
    kParentPid = 7,
    kParentUuid = 8,
    kIsAlone = 9,  // a thread whose process is not known
    kName = 10,    // of a process
    // End of a thread whose number still belongs to it.
    kNotedEnd = 11,
    // Those that do not fit into the fields of the format.
    kPid = 12,
    kTid = 13,
  };
};

// Field of a TrackEvent.
struct Event {
  enum Field : uint32_t {
    kThreadTime = 1,  // thread time at the event, ns
    kInstructions = 2,
    kArg = 3,      // Arg that an annotation cannot represent
    kAnchors = 4,  // 1: each flow id with the bit kAnchor is one arrow
    // The iid of the callstack at the end, stored in the same row, for a begin; for an end: the
    // begin had one.
    kEndCallstack = 5,
    kIsStackTold = 6,
    kArrow = 7,  // Arrow, for flow ids with the bit kAnchor that end here
    // The duration of an instant with a thread duration other than 0; the least number for NULL.
    // Also of a begin with the duration 0.
    kThreadDur = 8,
    kInstructionDelta = 9,
    // The uuid of the track, which other programs read on another one.
    kTrack = 10,
  };
};
struct Arrow {
  enum Field : uint32_t {
    kFlow = 1,     // fixed64, as in the event
    kTraceId = 2,  // fixed64: trace id of the flow, if it has one
    kIsBack = 3,   // the flow leads back in time
  };
};
inline constexpr uint64_t kAnchor = uint64_t{1} << 62;

// Field of a LogEvent.
struct Log {
  enum Field : uint32_t {
    kTime = 1,
    kSource = 2,
    kHasThread = 3,
    kArg = 4,
    // If they do not fit into the fields of the format.
    kTid = 5,
    kPid = 6,
  };
};

// Field of a PerfSample: data that its writer does not give.
struct Sample {
  enum Field : uint32_t {
    kSource = 1,
    kSession = 2,  // number of its session, if it has one
    kUnit = 3,     // timebase unit of the session
    kCmdline = 4,  // of the session
    kName = 5,     // name and (below) weight, of json_sample
    kWeight = 6,   // double
    kRows = 7,     // SampledAs
    kPriority = 8,
    kTid = 10,  // if they do not fit into the fields of the format
    kPid = 11,
    kIsAlone = 12,  // the thread has no process; other programs read it as one of its own
    kAsync = 9,     // task of the sample and its parents, the outermost first
    // Fields of kAsync.
    kAsyncName = 1,
    kAsyncKind = 2,
  };
};
// The tables that have the sample; only profiler_sample if this is missing.
enum SampledAs : uint32_t {
  kJson = 1,  // json_sample, and profiler_sample if it has a callstack
  kJsonAndProfiler = 2,
};
// Field of ProcessHeapSamples: its times as trace time, and the pid if the format cannot hold it.
struct HeapDump {
  enum Field : uint32_t { kEnd = 1, kStart = 2, kPid = 3 };
};
// Field of a HeapGraph: the pid if the format cannot hold it.
// Field of a HeapGraphObject: the size of its native memory. A graph with one such object has no
// other source of this size.
// Field of a Frame: 1 if it has a source location without path and line.
// Field of a Mapping: its name, if it does not begin with a slash.

// An arg, unchanged.
struct Arg {
  enum Field : uint32_t {
    kKey = 1,
    kFlatKey = 2,  // if it differs from the key without its indexes
    kType = 3,     // ArgType
    kBits = 4,     // fixed64: an integer, or the bits of a double
    kText = 5,
    kPath = 6,      // if it differs from the key (event/arg_path.h)
    kUnlisted = 7,  // ArgRow::unlisted
  };
};

// Values of the field in a FtraceEventBundle.
enum Bundle : uint32_t {
  kRowsOnly = 1,  // its events are rows of ftrace_event without further meaning
  // The events have no rows. Events with equal times are in order, also across CPUs.
  kNoRows = 2,
};

// Field of a DebugAnnotation: the iid of its whole key, in the field of InternedData: entries with
// Arg's kKey = 1 the iid, 2 the key, 3 the flat key if it differs as above, 4 the path if it
// differs. The annotation then needs no path.
enum InternedKey : uint32_t { kIid = 1, kText = 2, kFlatText = 3, kPathText = 4 };
// Field of a DebugAnnotation: an Arg without its key, which replaces the value of the annotation.
inline constexpr uint32_t kValueField = 98'002;

// Maps "a[0].b" to "a.b".
std::string flat_key_of(std::string_view key);
uint32_t arg_key(std::string_view key, std::optional<std::string_view> flat_key,
                 std::optional<std::string_view> path, EventSink& sink);
// Adds the arg to the open set; with `key` instead of its own unless that is kNone. Returns false
// if it is malformed.
bool add_arg(Message arg, EventSink& sink, uint32_t key = kNone);
// Returns all args in fields of this number as a set; kNone if there are none.
uint32_t arg_set(std::string_view message, uint32_t field, EventSink& sink);

}  // namespace tracebraid::proto::own
