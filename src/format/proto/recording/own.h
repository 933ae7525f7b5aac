// Own: what our exporter adds to a protobuf trace, in fields that no schema has, so that reading
// it again gives the same tables (docs/exports.md). Other programs skip these fields and see the
// rest, which is a trace like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/proto/wire/wire.h"

namespace tracebraid::proto::own {

// The number of the field in each message that has one: beyond what schemas give away.
inline constexpr uint32_t kField = 98'000;

// Of a TrackDescriptor: what its track is. The name is the descriptor's.
struct Track {
  enum Field : uint32_t {
    kType = 1,
    kCpu = 2,  // of a track of a CPU
    kGpu = 3,
    kUnit = 4,
    kDimension = 5,  // Arg; but for those of the owner
    kSource = 6,     // Arg
    kGroup = 7,      // tracks of one group are lanes of one track
  };
};

// Of a ProcessDescriptor and a ThreadDescriptor: the row of process or thread.
struct Owner {
  enum Field : uint32_t {
    kStart = 1,      // trace time, as all times here
    kIsNewLife = 2,  // nothing with this number that was before is meant from its start on
    kEnd = 3,
    kArg = 4,  // Arg
    kCmdline = 5,
    kUid = 6,
    kParentPid = 7,
    kParentUuid = 8,
    kIsAlone = 9,  // a thread whose process is not known
    kName = 10,    // of a process
    // Of a thread: its end, too, but what has its number later is still the thread.
    kNotedEnd = 11,
  };
};

// Of a TrackEvent.
struct Event {
  enum Field : uint32_t {
    kThreadTime = 1,  // ns, of the thread, at the event
    kInstructions = 2,
    kArg = 3,      // Arg, where an annotation cannot say it
    kAnchors = 4,  // 1: flow ids that have the bit kAnchor are one arrow each
    // Of a begin: the iid of the callstack at the end, which is of the same row; of an end: the
    // begin said so.
    kEndCallstack = 5,
    kIsStackTold = 6,
    kArrow = 7,  // Arrow, of flow ids with the bit kAnchor that end here
    // Of an instant, if it is not 0: how much the thread went on; the least number for NULL. Of a
    // begin, if it is 0.
    kThreadDur = 8,
    kInstructionDelta = 9,
  };
};
struct Arrow {
  enum Field : uint32_t {
    kFlow = 1,     // fixed64, as in the event
    kTraceId = 2,  // fixed64: that of the trace, if it has one
    kIsBack = 3,   // it leads back in time
  };
};
inline constexpr uint64_t kAnchor = uint64_t{1} << 62;

// Of a LogEvent.
struct Log {
  enum Field : uint32_t { kTime = 1, kSource = 2, kHasThread = 3, kArg = 4 };
};

// Of a PerfSample: what its writer does not tell.
struct Sample {
  enum Field : uint32_t {
    kSource = 1,
    kSession = 2,  // a number of it, if it is of one
    kUnit = 3,     // of the session's timebase
    kCmdline = 4,  // of the session
    kName = 5,     // and its weight, of json_sample
    kWeight = 6,   // double
    kRows = 7,     // SampledAs
    kPriority = 8,
    kTid = 10,  // where they do not fit
    kPid = 11,
    kAsync = 9,  // what it was done for and what that is part of, the outermost first
    // Of that.
    kAsyncName = 1,
    kAsyncKind = 2,
  };
};
// Which tables a sample is a row of; profiler_sample alone without it.
enum SampledAs : uint32_t {
  kJson = 1,  // json_sample, and profiler_sample if it has a callstack
  kJsonAndProfiler = 2,
};
// Of a HeapGraphObject: the size of its native memory. In a graph with one such object nothing
// else tells that size.
// Of a Frame: 1 if it has a place in the source, though no path and line are known.
// Of a Mapping: its name, if it does not begin with a slash.

// An arg, verbatim.
struct Arg {
  enum Field : uint32_t {
    kKey = 1,
    kFlatKey = 2,  // if it is not the key without its indexes
    kType = 3,     // ArgType
    kBits = 4,     // fixed64: an integer, or the bits of a double
    kText = 5,
  };
};

// Values of the field of a FtraceEventBundle.
enum Bundle : uint32_t {
  kRowsOnly = 1,  // its events are rows of ftrace_event and mean nothing more
  // Its events have no rows. Those of one time are in order, also between CPUs.
  kNoRows = 2,
};

// Of DebugAnnotation: the iid of its whole key, in the field of InternedData: entries with Arg's
// kKey = 1 the iid, 2 the key, 3 the flat key if it differs as above. It needs no path then.
enum InternedKey : uint32_t { kIid = 1, kText = 2, kFlatText = 3 };

// "a[0].b" -> "a.b".
std::string flat_key_of(std::string_view key);
uint32_t arg_key(std::string_view key, std::optional<std::string_view> flat_key, EventSink& sink);
// Adds it to the open set. Returns false if it is malformed.
bool add_arg(Message arg, EventSink& sink);
// All args in fields of this number, as a set; kNone if there are none.
uint32_t arg_set(std::string_view message, uint32_t field, EventSink& sink);

}  // namespace tracebraid::proto::own
