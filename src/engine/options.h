// Options of opening traces, by the names that the program and the library share.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "container/limits.h"
#include "engine/engine.h"

namespace tracebraid {

// Options of opening a trace. Texts are unchecked; Trace::open checks them.
struct TraceOptions {
  bool strict = false;              // the first loss is an Error
  bool strict_all = false;          // with strict: the first repair, too
  bool lenient_ends = false;        // an end of a JSON thread ends the innermost slice
  bool drop_negative = false;       // drop events before the start of trace time
  bool skip_unknown = false;        // an input that is no trace is a problem, not an Error
  std::string manifest;             // path of a merge manifest; empty: one found among the inputs
  std::string clock_model;          // step, linear; empty: as the manifest states, else linear
  std::string clock_fit = "shift";  // shift, linear
  bool clock_sync_same_domain = false;
  bool clock_sync_strict = false;
  std::string join_flows;  // auto, all, none; empty: as the manifest states, else auto
  std::string align;       // auto, off, verify or kinds; empty: as the manifest states, else auto
  bool cache = false;      // keep the merged trace as a braid and open it the next time
  std::string cache_dir;   // folder of the cache; empty: beside the first input
  ContainerLimits limits;
  unsigned max_json_depth = 512;  // at most kMostJsonDepth
  bool no_ftrace_raw = false;
  std::vector<std::string> proto_descriptors;  // paths of serialised FileDescriptorSets
  std::vector<std::string> sql_path;           // folders of modules of SQL: DIR or DIR@PACKAGE

  // The following options have no key.
  std::vector<std::string> descriptor_sets;  // contents of proto_descriptors
  // Events that placing and assembling lose are no Error under `strict`: the caller reports them.
  bool reports_losses = false;
  // Verifies the large tables of a braid when a query first reads them, instead of at once.
  bool for_queries = false;
  // Receives warnings that do not fail the opening, such as that the cache cannot be written;
  // called on the opening thread. Problems of inputs are in Trace::problems().
  std::function<void(std::string_view message)> warn;
};

inline constexpr unsigned kMostJsonDepth = 20'000;  // limited by the stack

// All options that can be set by key.
struct OpenOptions {
  EngineOptions engine;
  TraceOptions trace;
};

// Returns the member with the value of an option.
template <class T>
using OptionOf = T& (*)(OpenOptions& options);
using OptionTarget = std::variant<OptionOf<bool>,                      // a switch
                                  OptionOf<std::string>,               // the last value given
                                  OptionOf<std::vector<std::string>>,  // all values given
                                  OptionOf<unsigned>,                  // a plain number
                                  OptionOf<uint64_t>>;  // a number that may end in K, M, G or T

struct OptionSpec {
  std::string_view key;    // the long option without its dashes: "clock-model"
  std::string_view value;  // name of the value in --help; empty: a switch
  std::string_view about;
  OptionTarget target;
  std::vector<std::string_view> choices = {};  // if not empty: the allowed values
  bool is_for_programs = false;                // has no effect in the library
  bool is_for_libraries = false;               // the program has no such option
  OptionOf<bool> all = nullptr;                // a switch that "all" sets, too
};

// Returns all options, in the order of --help.
std::span<const OptionSpec> open_option_specs();

// Sets one option from text: switches accept true and false, sizes values such as 64K. An Error of
// code Usage names the nearest key or choice.
Result<> set_option(OpenOptions& options, std::string_view key, std::string_view value);

// Returns [{"key":...,"type":"switch
// text
// list
// number
// size","default":...,"choices":[...],"text":...}].
std::string option_specs_json();

// Parses a size: "64K" is 65536.
Result<uint64_t> parse_quantity(std::string_view text);

}  // namespace tracebraid
