// Manifest: what the user says about the files of a merge: on which machine
// each was recorded, and how its clock lies to another's (spec clocks 10).
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

// What both clocks of an override show at one moment, ns.
struct ClockPoint {
  int64_t this_ns = 0, other_ns = 0;
};

// The file's clock reads T when that of sync_to reads T + offset_ns.
struct ClockOverride {
  uint32_t clock = 0;  // domain, which stays what it is; 0: the whole file is moved
  std::optional<std::string> machine;
  SyncTo sync_to;
  int64_t offset_ns = 0;

  // Ours, for readers that know them. While the other clock advances by a second
  // this one advances by a second and drift_ppm us; offset_ns holds where it reads
  // offset_at_ns.
  double drift_ppm = 0;
  int64_t offset_at_ns = 0;
  // In place of the three: moments at which both are known, rising in both. The line
  // through two neighbours holds between them, the first and last also beyond.
  std::vector<ClockPoint> points;

  bool pins_file() const { return clock == 0; }
};
inline constexpr double kMaxDriftPpm = 100'000;

struct FileEntry {
  std::string path;                    // as in trace_file.name
  std::optional<std::string> machine;  // all of it is of this machine
  std::vector<MachineName> machines;   // or: whose its embedded ids are
  std::optional<ClockOverride> clocks;

  // Ours. The path is a pattern, for all files without an entry of their own: * and ?
  // stand for any letters and any letter other than '/', ** for any at all.
  bool is_glob = false;
  // Wall-clock time of the file's first event, ns since 1970; not with a pin.
  std::optional<int64_t> start_utc_ns;

  // Set when the manifests of a merge are joined (merge/manifests.h).
  std::string scope;  // of its manifest: names of its machines are of that
  FileId manifest;    // it stands in
  FileId target;      // that it speaks of, if it is there
};

// Ours: what is known of a machine.
struct MachineEntry {
  std::string name;
  int64_t wall_clock_skew_ns = 0;  // its wall clock is ahead of the true time by this
};

struct Attribute {
  std::string key;
  std::variant<int64_t, std::string> value;
};

struct Manifest {
  FileId file;        // it was found in; none if it was named on the command line
  std::string path;   // of that file, for people
  std::string scope;  // archive that it speaks of, "inner.zip/"; empty for the outermost
  std::optional<TraceTimeChoice> trace_time;
  std::vector<FileEntry> files;
  std::vector<Attribute> attributes;
  std::vector<MachineEntry> machines;     // ours
  std::optional<ClockModel> clock_model;  // ours
  std::optional<JoinFlows> join_flows;    // ours
};

// Whether a file that starts with `head` is a manifest (spec clocks 10.1).
bool is_manifest(std::string_view head);

// Checks all rules that need no other file, in the order of spec clocks 10.4.
// Errors are of code BadManifest and have the spec's text. `warnings` gets
// what is ignored: keys that mean nothing, entries that repeat a path.
Result<Manifest> parse_manifest(std::string_view json, std::vector<std::string>& warnings);

// The document, indented, with a line feed at its end.
std::string write_manifest(const Manifest& manifest);

// What is known of a file when a template is made for it.
struct TemplateFile {
  std::string path;
  std::vector<uint64_t> machines;  // raw ids; 0 is the file's own
  bool has_clock = true;           // false: nothing relates its times to other files
};
// A manifest to start from: each file with a machine of its own, those without
// a clock related to the first that has one.
Manifest manifest_template(std::span<const TemplateFile> files);

// A JSON Schema of the document.
std::string_view manifest_schema();

}  // namespace tracebraid
