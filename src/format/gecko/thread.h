// Reads one thread of a Gecko profile: names, samples, markers (spec json 11.1).
//
// Input: a thread object of the document. Output: samples and slices of the batch. Called by
// gecko.cc.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/gecko/tables.h"

namespace tracebraid::gecko {

// What the threads of a profile have in common.
struct ProfileFacts {
  const Input* input = nullptr;
  const Block* file = nullptr;
  int64_t offset_ns = 0;  // start of this process after that of the file
  JsonFields shared;
  std::vector<std::string> libs, categories;  // empty: without a name
};

// The file's own clock, of each piece.
inline constexpr uint32_t kFileClock = 0;

// Strings of a thread, or those that all threads share; each is interned when it is first used.
class Strings {
 public:
  Strings(const JsonFields& thread, const ProfileFacts& facts, EventSink& sink);
  bool has(int64_t index) const { return index >= 0 && static_cast<size_t>(index) < texts_.size(); }
  std::string text(int64_t index) const;  // empty if there is none
  StringId id(int64_t index);

 private:
  EventSink& sink_;
  std::vector<json::StringToken> texts_;
  std::vector<StringId> ids_;
};

// Pids and tids that are texts get numbers (spec json 3.3).
class Ids {
 public:
  // Nothing if the value is neither a number nor a text.
  std::optional<int64_t> number(const json::Value& value);
  // A number of its own for what has none.
  int64_t unnamed() { return next_--; }
  // The text that the last number() stands for; empty if it is a number itself.
  std::string take_text() { return std::exchange(text_, {}); }

 private:
  static constexpr int64_t kFirst = -1'000'000'001;
  int64_t next_ = kFirst;
  std::string text_;
  std::map<std::string, int64_t, std::less<>> numbers_;
};

struct Owner {
  int64_t pid = kNoId, tid = 0;
  std::string pid_text, tid_text;  // if they are no numbers
};
Owner owner_of(const JsonFields& thread, Ids& ids);

// `sink` is that of a piece of its own, whose first clock is the file's.
void read_thread(const JsonFields& thread, const Owner& owner, const ProfileFacts& facts,
                 EventSink& sink);
// `owners` are the threads in the order of the profile.
void read_counter(const JsonFields& counter, const ProfileFacts& facts,
                  const std::vector<Owner>& owners, Ids& ids, EventSink& sink);

// A row that makes no sense, or lacks what it needs.
void count_bad_row(const Row& row, const ProfileFacts& facts, EventSink& sink);

// ns of the file's clock; nothing if there is no number, or it does not fit.
std::optional<int64_t> time_of(const json::Value& ms, const ProfileFacts& facts);

}  // namespace tracebraid::gecko
