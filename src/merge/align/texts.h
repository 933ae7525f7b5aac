// Texts: log lines and messages that two recordings have (spec alignment 3.8).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/names.h"
#include "merge/align/kinds.h"
#include "merge/align/recording.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// A text that its file has once.
struct LogText {
  uint64_t key = 0, check = 0;  // two hashes, equal in all recordings
  uint32_t recording = 0;       // index
  uint32_t batch = 0;           // that has the text
  StringId text = {};
  float surprise = 0;  // of its words, bits
  int64_t at = 0;      // reading, ns
  int64_t pid = kNoId;
};

struct LogTexts {
  std::vector<Recording> recordings;  // in order of files
  std::vector<LogText> texts;
};

// Returns the texts of 12 characters or more of log rows, instants and kernel marks, without the
// time that they begin with. At most a million of a file; of more, every n-th by key.
LogTexts read_texts(std::span<const FileToLocate> files, const Trackers& trackers,
                    const EventKinds& kinds);

// Fits the clocks of each recording to those of the first recording that has the same texts.
// Returns the sets, also refused ones, except those with too little in common.
std::vector<MatchSet> match_texts(const LogTexts& all, const Trackers& trackers);

}  // namespace tracebraid::align
