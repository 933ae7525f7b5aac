// Callstacks and profiles: frames, mappings, callsites, samples, heap dumps, for all formats (spec
// json 7.3, proto 1.2, 6.8).
//
// Indexes are local to the batch; the sink gives equal records one index. A record becomes a row
// when it is used, once for all files.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"
#include "event/names.h"

namespace tracebraid {

// A mapped file, or part of one, with code.
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
  // The source location, which becomes a symbol.
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

// A frame and its caller; the path to the root is a callstack.
struct Callsite {
  uint32_t parent = kNone;  // a smaller index, so every path ends at a root
  uint32_t frame = kNone;
  friend auto operator<=>(const Callsite&, const Callsite&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Callsite& c) {
    return H::combine(std::move(h), c.parent, c.frame);
  }
};

// The configuration of one recording of samples: a row of perf_session or stack_sample_session.
// Equal sessions of a file, also in several batches, are one.
struct SampleSession {
  uint32_t machine = 0;
  FileId file = {};  // set by merge
  uint64_t key = 0;  // the sequence; distinguishes sessions of a file
  StringId source = {};
  StringId timebase_unit = {};
  StringId cmdline = {};
  friend auto operator<=>(const SampleSession&, const SampleSession&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SampleSession& s) {
    return H::combine(std::move(h), s.machine, s.file, s.key, s.source, s.timebase_unit, s.cmdline);
  }
};

// The task or request that a thread worked on when it was sampled.
struct AsyncContext {
  StringId name = {}, kind = {};
  uint32_t parent = kNone;  // a smaller index
  friend auto operator<=>(const AsyncContext&, const AsyncContext&) = default;
  template <class H>
  friend H AbslHashValue(H h, const AsyncContext& c) {
    return H::combine(std::move(h), c.name, c.kind, c.parent);
  }
};

// The tables that a sample is a row of.
enum class SampleRows : uint8_t {
  Profiler,         // profiler_sample; perf_sample, cpu_profile_stack_sample ... are views over it
  Json,             // json_sample; also profiler_sample if it has a callsite (spec json 4.12)
  JsonAndProfiler,  // both, also without a callsite
};

// Callstacks with weights, without times and threads; each index is a row of aggregate_sample.
struct AggregateSamples {
  std::vector<uint32_t> callsites;
  std::vector<double> weights;
};

// The fields of a sample besides time, thread, source, name and weight.
struct SampleExtra {
  uint32_t callsite = kNone;
  uint32_t session = kNone;        // index of the sessions
  uint32_t async_context = kNone;  // index of the async contexts
  uint32_t counters = kNone;       // index of the first counter
  uint32_t process = kNone;        // index of the process names, if the thread is not known
  SampleRows rows = SampleRows::Profiler;
  int64_t cpu = -1;
  int64_t priority = kNoId;  // Chrome's process_priority
  StringId cpu_mode = {};
  StringId unwind_error = {};
};

// The value of a counter when a sample was taken.
struct SampleCounter {
  uint32_t track;  // index of the track names
  bool last;       // whether it is the last of its sample
  double value;
};

// Callstacks of a slice (spec proto 2.9, json 3.6).
struct SliceStack {
  uint32_t callsite = kNone;
  uint32_t end_callsite = kNone;
  double weight = std::numeric_limits<double>::quiet_NaN();
};

// Totals of one callsite up to a heap dump, since the recorder first used the source id.
struct HeapSample {
  uint32_t callsite = kNone;
  bool last = false;       // whether it is the last of its dump
  uint64_t source_id = 0;  // the recorder's number of the callsite
  int64_t alloc_bytes = 0, free_bytes = 0;
  int64_t alloc_count = 0, free_count = 0;
};

struct SymbolLine {
  StringId function, file;
  int64_t line = kNoLine;
  bool last = false;  // whether it is the last of its address; inlined functions come first,
                      // innermost first
};
struct AddressSymbols {
  int64_t rel_pc = 0;
  uint32_t lines = kNone;  // index of the first of ModuleSymbols::lines; none: no symbol
};
// Symbols of a module, found after the recording.
struct ModuleSymbols {
  uint32_t machine = 0;  // index of EventBatch::machines
  StringId path, build_id;
  std::vector<AddressSymbols> addresses;
  std::vector<SymbolLine> lines;
};

// Two args of an event with a method that is known by its address only: the mapping and the
// address. Assembling replaces them by the names of the method and its interface, if there is a
// symbol (spec proto-2 6).
struct MethodArgs {
  uint32_t first = kNone;    // index of ArgSets::rows: the mapping; the address follows
  uint32_t mapping = kNone;  // index of the mappings
  // Indexes of ArgSets::keys. The event may have an arg with the name of the interface itself.
  uint32_t mapping_key = kNone, name_key = kNone, interface_key = kNone;
};

// A Java heap (spec proto 6.8). Indexes are local to the graph.
struct HeapGraphClass {
  StringId name = {}, location = {}, kind = {};
  uint32_t superclass = kNone;
  uint32_t classloader = kNone;  // object
};
struct HeapGraphReference {  // references of one owner are consecutive
  uint32_t owner = kNone;    // object
  uint32_t owned = kNone;    // object; none for null
  StringId field_name = {}, field_type = {};
  bool last = false;  // whether it is the last of its owner
};
struct HeapGraphBitmap {
  std::optional<int64_t> id, source_id, width, height;
};
struct HeapGraphObject {
  uint32_t type = kNone;        // class
  uint32_t references = kNone;  // index of the first reference; none: no references
  uint32_t bitmap = kNone;      // index of the bitmaps
  int64_t self_size = 0, native_size = 0;
  StringId heap_type = {}, root_type = {};
  bool reachable = false;
};
struct HeapGraph {
  std::optional<int64_t> heap_size;
  bool truncated = false;
  std::vector<HeapGraphClass> classes;
  std::vector<HeapGraphObject> objects;
  std::vector<HeapGraphReference> references;
  std::vector<HeapGraphBitmap> bitmaps;
};

// The state of a Java process: a row of heap_graph. If it ran out of memory, also its details and
// the callstack of the thread.
struct OutOfMemory {
  bool is_out_of_memory = false;
  int64_t allocation_size = 0, total_free = 0, free_until = 0;  // bytes
  StringId error = {};
  bool has_stack = false;
  uint32_t thread = kNone;
  uint32_t callsite = kNone;
};

// The original name of obfuscated Java code. Names are qualified: a class, or a method or field
// with its class. Methods with one obfuscated name are distinguished by their lines.
struct Deobfuscation {
  enum class Kind : uint8_t { Class, Field, Method };
  StringId package = {}, obfuscated = {}, name = {};
  Kind kind = Kind::Class;
  int64_t version_code = 0;
  int64_t line_start = kNoLine, line_end = kNoLine;  // of the obfuscated code; kNoLine: open
  int64_t source_line = kNoLine;                     // first line in the source
};

struct StackTables {
  std::vector<StackMapping> mappings;
  std::vector<StackFrame> frames;
  std::vector<Callsite> callsites;
  std::vector<SampleSession> sessions;
  std::vector<AsyncContext> async_contexts;
  std::vector<SampleExtra> samples;
  std::vector<SampleCounter> sample_counters;
  AggregateSamples aggregate_samples;  // emitted by EventKind::AggregateSamples
  std::vector<SliceStack> slice_stacks;
  std::vector<HeapSample> heap_samples;
  std::vector<ModuleSymbols> module_symbols;
  std::vector<MethodArgs> methods;
  std::vector<HeapGraph> heap_graphs;
  std::vector<OutOfMemory> out_of_memory;
  std::vector<Deobfuscation> deobfuscations;
};

}  // namespace tracebraid
