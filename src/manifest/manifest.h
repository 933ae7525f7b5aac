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

// The file's clock reads T when that of sync_to reads T + offset_ns.
struct ClockOverride {
  uint32_t clock = 0;  // domain, which stays what it is; 0: the whole file is moved
  std::optional<std::string> machine;
  SyncTo sync_to;
  int64_t offset_ns = 0;

  bool pins_file() const { return clock == 0; }
};

struct FileEntry {
  std::string path;                    // as in trace_file.name
  std::optional<std::string> machine;  // all of it is of this machine
  std::vector<MachineName> machines;   // or: whose its embedded ids are
  std::optional<ClockOverride> clocks;
};

struct Attribute {
  std::string key;
  std::variant<int64_t, std::string> value;
};

struct Manifest {
  FileId file;  // it was found in; none if it was named on the command line
  std::optional<TraceTimeChoice> trace_time;
  std::vector<FileEntry> files;
  std::vector<Attribute> attributes;
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
