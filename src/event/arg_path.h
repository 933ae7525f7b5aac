// Paths of args: unambiguous keys.
//
// A path is the key of `args`, with member names in brackets and quotes where the key alone would
// be ambiguous: the member "k.with.dot" of `args` has the key `args.k.with.dot` and the path
// `args["k.with.dot"]`. Quoted names have the escapes of JSON. Indexes count all elements of an
// array, also those without a row in `args`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracebraid {

// Whether a path has the name without quotes.
bool is_plain_name(std::string_view name);
void append_member(std::string& path, std::string_view name);
void append_element(std::string& path, uint64_t index);

// One step of a path: a name, or an index of an array.
struct ArgStep {
  std::string_view name;  // valid until the next step
  std::optional<uint64_t> index;
  size_t begin = 0, end = 0;  // the place of the step in the path, with its dot or brackets
};

// Reads the steps of a path, or of a key.
class ArgSteps {
 public:
  explicit ArgSteps(std::string_view path) : path_(path) {}
  // Returns nothing at the end, and at a bracket that begins neither an index nor a quoted name:
  // then is_malformed().
  std::optional<ArgStep> next();
  bool is_malformed() const { return malformed_; }

 private:
  std::optional<ArgStep> quoted(ArgStep step);

  std::string_view path_;
  size_t at_ = 0;
  bool malformed_ = false;
  std::string name_;  // a decoded name
};

}  // namespace tracebraid
