// One thread of a Gecko profile: names, samples, markers (spec json 11.1).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/json_document.h"

namespace tracebraid::gecko {

// What the threads of a profile have in common.
struct ProfileFacts {
  uint32_t clock = 0;     // the file's own
  int64_t offset_ns = 0;  // start of this process after that of the file
  JsonValue shared;
  std::vector<JsonValue> libs;
  std::vector<std::string> categories;
  std::string_view product;
};

// Pids and tids that are texts get numbers (spec json 3.3).
class Ids {
 public:
  explicit Ids(EventSink& sink) : sink_(sink) {}
  // Nothing if the value is neither a number nor a text.
  std::optional<int64_t> number(const JsonValue& value);

 private:
  EventSink& sink_;
  std::map<std::string, int64_t, std::less<>> numbers_;
};

struct Owner {
  uint32_t process = kNone;
  uint32_t thread = kNone;
};

Owner read_thread(const JsonValue& thread, const ProfileFacts& facts, Ids& ids, EventSink& sink);
// `owners` are the threads in the order of the profile.
void read_counter(const JsonValue& counter, const ProfileFacts& facts,
                  const std::vector<Owner>& owners, Ids& ids, EventSink& sink);

}  // namespace tracebraid::gecko
