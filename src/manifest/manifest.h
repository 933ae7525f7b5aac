// Manifest: the user's statements about the files of a merge: the machine of each file and the
// offsets between clocks (spec clocks 10). parse_manifest() makes it from JSON; merge joins the
// manifests of nested archives and locate applies them.
//
// Input: JSON text. Output: a Manifest, or an Error with the text of the specification. Called by
// merge and by the commands manifest and merge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "clock/clock_map.h"
#include "event/align_options.h"
#include "event/flow_join.h"

namespace tracebraid {

struct TraceTimeChoice {
  uint32_t clock = 0;  // domain
  std::optional<std::string> file;
  std::optional<std::string> machine;
};

struct MachineName {
  uint32_t id = 0;  // as embedded in the file
  std::string name;
};

struct SyncTo {
  std::string file;
  std::optional<std::string> machine;
  uint32_t clock = 0;  // domain; 0: the file's own timeline
};

// Readings of both clocks of an override at one moment, ns.
struct ClockPoint {
  int64_t this_ns = 0, other_ns = 0;
};

// The clock of the file reads T when that of sync_to reads T + offset_ns.
struct ClockOverride {
  uint32_t clock = 0;  // domain of the clock to relate; 0: the whole file is moved
  std::optional<std::string> machine;
  SyncTo sync_to;
  int64_t offset_ns = 0;

  // An addition of tracebraid. While the other clock advances by 1 s, this clock advances by 1 s
  // plus drift_ppm us; offset_ns holds at the reading offset_at_ns of this clock.
  double drift_ppm = 0;
  int64_t offset_at_ns = 0;
  // Replaces offset_ns, drift_ppm and offset_at_ns: readings at the same moments, increasing in
  // both clocks. Times lie on the line through two neighbouring points; the first and last lines
  // continue.
  std::vector<ClockPoint> points;

  bool pins_file() const { return clock == 0; }
};
inline constexpr double kMaxDriftPpm = 100'000;

struct FileEntry {
  std::string path;                    // as in trace_file.name
  std::optional<std::string> machine;  // the machine of the whole file
  std::vector<MachineName> machines;   // or the machines of its embedded ids
  std::optional<ClockOverride> clocks;

  // An addition of tracebraid: the path is a pattern for all files without an entry of their own,
  // where * and ? match characters other than '/', and ** any characters.
  bool is_glob = false;
  // Wall-clock time of the first event, ns since 1970. Excludes an override that moves the file.
  std::optional<int64_t> start_utc_ns;
  // Bits of AlignKind: the content that may relate the file; none if the manifest does not say so.
  std::optional<uint32_t> align_kinds;
  // Files of one group share one clock: that of their events. Empty: no group.
  std::string clock_group;

  // Set when the manifests of a merge are joined (merge/manifests.h).
  std::string scope;  // scope of the manifest; machine and group names are local to it
  FileId manifest;    // the manifest of the entry
  FileId target;      // the file of the entry, if it exists
};

// An addition of tracebraid: facts about a machine.
struct MachineEntry {
  std::string name;
  int64_t wall_clock_skew_ns = 0;  // how far its wall clock is ahead of the true time
};

struct Attribute {
  std::string key;
  std::variant<int64_t, std::string> value;
};

struct Manifest {
  FileId file;        // the manifest itself; none if it was given by --manifest
  std::string path;   // path of the manifest, for messages
  std::string scope;  // the archive it applies to, "inner.zip/"; empty for the outermost
  std::optional<TraceTimeChoice> trace_time;
  std::vector<FileEntry> files;
  std::vector<Attribute> attributes;
  std::vector<MachineEntry> machines;     // additions of tracebraid, also the next two
  std::optional<ClockModel> clock_model;  // ours
  std::optional<JoinFlows> join_flows;    // ours
  std::optional<AlignOptions> align;      // ours
};

// Whether a file that starts with `head` is a manifest (spec clocks 10.1).
bool is_manifest(std::string_view head);

// Parses a manifest and checks all rules that need no other file, in the order of spec clocks 10.4.
// Errors have the code BadManifest and the text of the specification. Adds a warning for each
// ignored part: unknown keys, entries that repeat a path.
Result<Manifest> parse_manifest(std::string_view json, std::vector<std::string>& warnings);

// Returns the JSON document, indented, with a final line feed.
std::string write_manifest(const Manifest& manifest);

// The facts about a file that a template needs.
struct TemplateFile {
  std::string path;
  std::vector<uint64_t> machines;  // ids in the file; 0 is the recording machine
  bool has_clock = true;           // false: no clock relates its times to other files
  uint32_t clock = 0;  // domain of most of its events; 0: a clock that a manifest cannot name
  uint64_t clock_machine = 0;  // the machine with these events
};
// Returns a template: each file has a machine of its own, and files without a clock are related to
// the clock of the first file with one.
Manifest manifest_template(std::span<const TemplateFile> files);

// Returns the JSON Schema of manifests.
std::string_view manifest_schema();

}  // namespace tracebraid
