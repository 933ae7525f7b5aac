// Callstacks and what is sampled with them: frames, mappings, callsites, samples,
// heap dumps. One vocabulary for all formats (spec json 7.3, proto 1.2, 6.8).
//
// All indexes are of the batch; the sink gives equal things one index. They
// become rows when something uses them, each once for all files.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// A file, or part of one, that code was run from.
struct StackMapping {
  StringId name = {};
  StringId build_id = {};  // lower-case hex
  int64_t start = 0, end = 0;
  int64_t start_offset = 0, exact_offset = 0, load_bias = 0;
  friend auto operator<=>(const StackMapping&, const StackMapping&) = default;
  template <class H>
  friend H AbslHashValue(H h, const StackMapping& m) {
    return H::combine(std::move(h), m.name, m.build_id, m.start, m.end, m.start_offset,
                      m.exact_offset, m.load_bias);
  }
};

inline constexpr int64_t kNoLine = std::numeric_limits<int64_t>::min();

struct StackFrame {
  StringId name = {};
  uint32_t mapping = kNone;
  int64_t rel_pc = 0;  // 0 if not known
  StringId type = {};  // "jit", ...; none for native code
  // The file says where in the source it is: that becomes a symbol.
  bool has_symbol = false;
  StringId source_file = {};
  int64_t line = kNoLine;
  uint32_t args = kNone;  // arg set
  friend auto operator<=>(const StackFrame&, const StackFrame&) = default;
  template <class H>
  friend H AbslHashValue(H h, const StackFrame& f) {
    return H::combine(std::move(h), f.name, f.mapping, f.rel_pc, f.type, f.has_symbol,
                      f.source_file, f.line, f.args);
  }
};

// A frame and what called it: the way from here to the root is a callstack.
struct Callsite {
  uint32_t parent = kNone;  // a smaller index, so that there is always a root
  uint32_t frame = kNone;
  friend auto operator<=>(const Callsite&, const Callsite&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Callsite& c) {
    return H::combine(std::move(h), c.parent, c.frame);
  }
};

// What one recording of samples was set up to do; a row of perf_session,
// stack_sample_session. Equal ones of a file are one, and so are those of its pieces.
struct SampleSession {
  uint32_t machine = 0;
  FileId file = {};  // set by merge
  uint64_t key = 0;  // the writer; tells sessions of a file apart
  StringId source = {};
  StringId timebase_unit = {};
  StringId cmdline = {};
  friend auto operator<=>(const SampleSession&, const SampleSession&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SampleSession& s) {
    return H::combine(std::move(h), s.machine, s.file, s.key, s.source, s.timebase_unit, s.cmdline);
  }
};

// What a thread worked for when it was sampled: a task, a request.
struct AsyncContext {
  StringId name = {}, kind = {};
  uint32_t parent = kNone;  // a smaller index
  friend auto operator<=>(const AsyncContext&, const AsyncContext&) = default;
  template <class H>
  friend H AbslHashValue(H h, const AsyncContext& c) {
    return H::combine(std::move(h), c.name, c.kind, c.parent);
  }
};

// Which tables a sample is a row of.
enum class SampleRows : uint8_t {
  Profiler,         // profiler_sample, on which perf_sample, cpu_profile_stack_sample ... are views
  Json,             // json_sample; also profiler_sample if it has a callsite (spec json 4.12)
  JsonAndProfiler,  // both, also without a callsite
};

// Callstacks with weights, without times and threads: rows of aggregate_sample, one for each index.
struct AggregateSamples {
  std::vector<uint32_t> callsites;
  std::vector<double> weights;
};

// What a sample has beside its time, thread, source, name and weight.
struct SampleExtra {
  uint32_t callsite = kNone;
  uint32_t session = kNone;        // index of the sessions
  uint32_t async_context = kNone;  // index of the async contexts
  uint32_t counters = kNone;       // first of EventBatch::sample_counters
  uint32_t process = kNone;        // index of the process names, if no thread is known
  SampleRows rows = SampleRows::Profiler;
  int64_t cpu = -1;
  int64_t priority = kNoId;  // Chrome's process_priority
  StringId cpu_mode = {};
  StringId unwind_error = {};
};

// The value of a counter, read when a sample was taken.
struct SampleCounter {
  uint32_t track;  // index of the track names
  bool last;       // of its sample
  double value;
};

// Callstacks of a slice (spec proto 2.9, json 3.6).
struct SliceStack {
  uint32_t callsite = kNone;
  uint32_t end_callsite = kNone;
  double weight = std::numeric_limits<double>::quiet_NaN();
};

// Totals of one callsite in one heap dump, since the recording began.
struct HeapSample {
  uint32_t callsite = kNone;
  bool last = false;  // of its dump
  int64_t alloc_bytes = 0, free_bytes = 0;
  int64_t alloc_count = 0, free_count = 0;
};

struct SymbolLine {
  StringId function, file;
  int64_t line = kNoLine;
  bool last = false;  // of its address; inlined functions come first, innermost first
};
struct AddressSymbols {
  int64_t rel_pc = 0;
  uint32_t lines = kNone;  // first of ModuleSymbols::lines; none: no symbol
};
// Symbols of a module, found after the recording.
struct ModuleSymbols {
  uint32_t machine = 0;  // index of EventBatch::machines
  StringId path, build_id;
  std::vector<AddressSymbols> addresses;
  std::vector<SymbolLine> lines;
};

// A Java heap (spec proto 6.8). Indexes are of the graph itself.
struct HeapGraphClass {
  StringId name = {}, location = {}, kind = {};
  uint32_t superclass = kNone;
  uint32_t classloader = kNone;  // object
};
struct HeapGraphReference {  // those of one owner lie together
  uint32_t owner = kNone;    // object
  uint32_t owned = kNone;    // object; none if it is null
  StringId field_name = {}, field_type = {};
  bool last = false;  // of its owner
};
struct HeapGraphObject {
  uint32_t type = kNone;        // class
  uint32_t references = kNone;  // first of the references; none: it has none
  int64_t self_size = 0, native_size = 0;
  StringId heap_type = {}, root_type = {};
  bool reachable = false;
};
struct HeapGraph {
  int64_t heap_size = 0;
  bool truncated = false;
  std::vector<HeapGraphClass> classes;
  std::vector<HeapGraphObject> objects;
  std::vector<HeapGraphReference> references;
};

// What a name of obfuscated Java code was before. Names are whole: of a class, of a
// method or field with its class.
struct Deobfuscation {
  StringId package = {}, obfuscated = {}, name = {};
};

struct StackTables {
  std::vector<StackMapping> mappings;
  std::vector<StackFrame> frames;
  std::vector<Callsite> callsites;
  std::vector<SampleSession> sessions;
  std::vector<AsyncContext> async_contexts;
  std::vector<SampleExtra> samples;
  std::vector<SampleCounter> sample_counters;
  AggregateSamples aggregate_samples;  // of EventKind::AggregateSamples
  std::vector<SliceStack> slice_stacks;
  std::vector<HeapSample> heap_samples;
  std::vector<ModuleSymbols> module_symbols;
  std::vector<HeapGraph> heap_graphs;
  std::vector<Deobfuscation> deobfuscations;
};

}  // namespace tracebraid
