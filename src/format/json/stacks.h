// Stacks: callstacks of events, and samples (spec json 3.6, 4.12, 5.1, 5.2).
//
// Frames may stand behind the events that name them, and in another piece. So a
// piece notes which frame was meant where, and FileStacks looks them up when the
// file has been read.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/dom.h"
#include "format/json/members.h"

namespace tracebraid::json {

struct Piece;

// A frame's id, and where the callstack that it stands for goes.
struct StackRef {
  enum class To : uint8_t { SliceBegin, SliceEnd, Flow, Sample, Heap };
  To to;
  uint32_t index;  // of slice_stacks, flow_extras, samples or heap_entries
  int64_t pid;
  StringId frame;
};

// Events that make up V8's samples (spec json 4.12).
struct V8Event {
  enum class Kind : uint8_t { CodeAdded, CodeMoved, Sample, Profile };
  Kind kind;
  int64_t ts;  // ns
  int64_t pid, tid;
  std::string id;    // of a profile
  std::string args;  // JSON
};

struct PieceStacks {
  std::vector<StackRef> refs;
  std::vector<std::pair<int64_t, std::string>> frames;  // by pid: args of 'M' stackFrames
  std::vector<V8Event> v8;
};

// The callstacks of a slice or instant: index of slice_stacks, or kNone.
uint32_t slice_stack(Piece& piece, const Members& members);
// The callstack of a flow event: sets the callsite, or notes whose it will be.
// `index` is that of its FlowExtra.
void note_flow_stack(Piece& piece, const Members& members, uint32_t index);
inline bool has_stack(const Members& members) {
  return members.has(Field::StartFrame) || members.has(Field::StartStack);
}
// Scopes other than a thread have no callstacks.
void ignore_stack(Piece& piece, const Members& members);

// Phase 'P'.
void write_sample(Piece& piece, const Members& members, int64_t ts);
// Instants and metadata that tell where V8 put its code.
void note_v8_code(Piece& piece, const Members& members);
// 'M' stackFrames.
void note_frames(Piece& piece, const Members& members);

// What `stackFrames` says of a frame.
struct FrameFact {
  std::string name, category, file, parent;
  bool has_parent = false;
  int64_t line = kNoLine, address = 0;
};

class FileStacks {
 public:
  using FinalId = std::function<int64_t(int64_t)>;

  // A member of the file's `stackFrames`, and an element of its `samples`, as JSON.
  void add_frame(std::string_view id, std::string_view json) { add_frame(kNoId, id, json); }
  void add_sample(std::string_view json) { samples_.emplace_back(json); }
  bool has_samples() const { return !samples_.empty(); }

  // The next piece. `batch` stays where it is until write(). `final_id` gives the
  // file's numbers for the piece's.
  void settle(PieceStacks&& stacks, EventBatch& batch, const FinalId& final_id);

  // When all pieces are settled: looks up the frames, and adds samples to `sink`.
  // `number_for` gives a text that stands for a tid its number. `has_events`: the
  // file has some outside of `samples`.
  void write(EventSink& sink, uint32_t clock, bool has_events,
             const std::function<int64_t(const std::string&)>& number_for);

 private:
  using Key = std::pair<int64_t, std::string>;  // pid, or kNoId for the file; id
  struct Piece {
    EventBatch* batch;
    std::vector<StackRef> refs;
  };

  void add_frame(int64_t scope, std::string_view id, std::string_view json);
  void add_frame(int64_t scope, std::string_view id, const Dom& dom);
  uint32_t find(int64_t pid, const std::string& id) const;
  void resolve_parents(EventSink& sink);
  uint32_t callsite(EventSink& sink, uint32_t frame, std::vector<uint32_t>& callsites);
  void resolve(Piece& piece, EventSink& counts);
  void write_sample(const Dom& sample, EventSink& sink, uint32_t clock, bool has_events,
                    std::vector<uint32_t>& callsites,
                    const std::function<int64_t(const std::string&)>& number_for);

  std::vector<FrameFact> frames_;
  std::vector<int64_t> scopes_;    // of the frames
  std::vector<uint32_t> parents_;  // of the frames, once known
  std::vector<bool> in_cycle_;     // of the frames: reported
  absl::flat_hash_map<Key, uint32_t> by_id_;
  std::vector<Piece> pieces_;
  std::vector<std::string> samples_;
  absl::flat_hash_map<int64_t, int64_t> pids_;  // by tid, the first of the file
  std::vector<V8Event> v8_;
};

// The callsite of a frame whose callers are listed one by one.
struct ChainEnd {
  uint32_t callsite;
  bool is_cut;  // the callers are a loop
};
// Frames are numbers from 0 on: `parent_of` gives the caller's, or kNone, `frame_of` the
// sink's index. `callsites` keeps what was made, kNone to begin with.
template <class ParentOf, class FrameOf>
ChainEnd add_chain(EventSink& sink, uint32_t frame, ParentOf parent_of, FrameOf frame_of,
                   std::vector<uint32_t>& callsites) {
  constexpr uint32_t kNotYet = kNone - 1;
  constexpr size_t kMaxLoop = 64;  // frames, that may be gone through again and again
  std::vector<uint32_t> chain;
  uint32_t at = frame;
  for (; at != kNone && callsites[at] == kNone; at = parent_of(at)) {
    callsites[at] = kNotYet;
    chain.push_back(at);
  }
  const bool is_cut = at != kNone && callsites[at] == kNotYet;
  uint32_t callsite = at == kNone || is_cut ? kNone : callsites[at];
  for (size_t i = chain.size(); i-- > 0;)
    callsite = callsites[chain[i]] = sink.callsite(callsite, frame_of(chain[i]));
  // The callsites within a loop depend on where it was entered: none is kept, if that
  // does not take too long.
  if (is_cut && chain.size() <= kMaxLoop)
    for (const uint32_t i : chain) callsites[i] = kNone;
  return {callsite, is_cut};
}

// A stack as an array: names, addresses, or objects with name and category, root
// first. kNone if it is empty.
uint32_t callsite_of(EventSink& sink, const Dom& stack);

}  // namespace tracebraid::json
