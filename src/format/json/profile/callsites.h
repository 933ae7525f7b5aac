// Callsites of stacks in JSON.
#pragma once

#include <cstdint>
#include <vector>

#include "event/sink.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {

// The callsite of a frame whose callers are listed one by one.
struct ChainEnd {
  uint32_t callsite;
  bool is_cut;  // the callers form a cycle
};
// Frames are numbers from 0 on: `parent_of` returns the caller, or kNone, `frame_of` the index of
// the sink. `callsites` caches results; kNone initially.
template <class ParentOf, class FrameOf>
ChainEnd add_chain(EventSink& sink, uint32_t frame, ParentOf parent_of, FrameOf frame_of,
                   std::vector<uint32_t>& callsites) {
  constexpr uint32_t kNotYet = kNone - 1;
  constexpr size_t kMaxLoop = 64;  // frames of a cycle that may be read repeatedly
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
  // The callsites in a cycle depend on the first frame. They are not cached, unless that would take
  // too long.
  if (is_cut && chain.size() <= kMaxLoop)
    for (const uint32_t i : chain) callsites[i] = kNone;
  return {callsite, is_cut};
}

// Returns the callsite of a stack in an array: names, addresses, or objects with name and category,
// root first. kNone for an empty stack.
uint32_t callsite_of(EventSink& sink, const Dom& stack);

}  // namespace tracebraid::json
