// generate(): writes synthetic, realistic trace files of any size. Equal arguments give equal bytes
// on every machine. Called by tracebraid-generate, and by tests that simulate clocks.
//
// Input: a kind, a size and a seed. Output: trace files. Called by tracebraid-generate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "generate/output.h"

namespace tracebraid::generate {

struct Order {
  uint64_t bytes = 1'000'000;  // approximate size of the file
  uint64_t seed = 1;
  // Of the kind timeline: slices (0: as many as `bytes` hold), threads, and the deepest nesting.
  uint64_t slices = 0;
  uint32_t tracks = 20, depth = 5;
};

struct Kind {
  std::string_view name, about;
  void (*write)(const Order& order, Output& out);
};

void write_chrome_json(const Order& order, Output& out);
void write_kineto_json(const Order& order, Output& out);
void write_track_event(const Order& order, Output& out);
void write_track_event_sdk(const Order& order, Output& out);
void write_sched(const Order& order, Output& out);
void write_systrace(const Order& order, Output& out);
void write_timeline(const Order& order, Output& out);

std::span<const Kind> kinds();

// Returns null for an unknown kind.
const Kind* find_kind(std::string_view name);

Result<> generate(const Kind& kind, const Order& order, const std::string& path);

// Writes the files of examples/: a phone, a watch, a web view without a clock, and the manifest
// that relates them.
Result<> generate_examples(const std::string& folder);

}  // namespace tracebraid::generate
