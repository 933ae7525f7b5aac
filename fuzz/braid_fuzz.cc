// Changes sections of a braid and corrects their checksums; a braid that opens must be valid for
// all queries. The input is a list of changes, so no seeds are needed.
#define XXH_INLINE_ALL
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/new_file.h"
#include "braid/braid.h"
#include "engine/connection.h"
#include "engine/export.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

constexpr std::string_view kTrace =
    R"({"stackFrames":{"1":{"name":"main"},"2":{"name":"work","parent":"1"}},
"samples":[{"cpu":0,"tid":2,"ts":4,"name":"cycles","sf":"2","weight":1}],
"traceEvents":[
{"ph":"X","ts":1,"dur":9,"pid":1,"tid":2,"name":"outer","cat":"a,b","args":{"n":1,"s":"text"},"sf":"2"},
{"ph":"X","ts":2,"dur":3,"pid":1,"tid":2,"name":"inner","args":{"list":[1,2.5,null]}},
{"ph":"C","ts":3,"pid":1,"name":"memory","args":{"used":7}},
{"ph":"s","ts":2,"pid":1,"tid":2,"id":5,"name":"flow"},
{"ph":"f","ts":8,"pid":1,"tid":3,"id":5,"name":"flow","bp":"e"},
{"ph":"X","ts":8,"dur":1,"pid":1,"tid":3,"name":"end"},
{"ph":"b","ts":3,"pid":1,"tid":2,"id":"7","cat":"c","name":"async"},
{"ph":"e","ts":6,"pid":1,"tid":2,"id":"7","cat":"c","name":"async"},
{"ph":"N","ts":1,"pid":1,"tid":2,"id":"0x9","name":"Object"},
{"ph":"O","ts":5,"pid":1,"tid":2,"id":"0x9","name":"Object","args":{"snapshot":{"a":{"id_ref":"0x9"}}}},
{"ph":"c","ts":7,"pid":1,"tid":2,"name":"clock_sync","args":{"sync_id":"x","issue_ts":6}},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}}
]})";

// The layout of the file, as described in src/braid/braid.h.
constexpr size_t kHeaderBytes = 64, kPartsAt = 12, kDirectoryAt = 32, kDirectoryChecksumAt = 40,
                 kFileBytesAt = 48, kChecksumAt = 56;

struct Part {
  uint64_t at, size, checksum;
};

template <class T>
T number_at(std::string_view bytes, size_t at) {
  T value;
  TB_ASSERT(at + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void put_at(std::string& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Parts {
  std::string header;
  std::vector<std::string> all;
};

Parts parts_of(std::string_view file) {
  Parts parts{std::string(file.substr(0, kHeaderBytes)), {}};
  const auto directory = number_at<uint64_t>(file, kDirectoryAt);
  for (uint32_t i = 0; i < number_at<uint32_t>(file, kPartsAt); ++i) {
    const Part part = number_at<Part>(file, directory + i * sizeof(Part));
    parts.all.emplace_back(file.substr(part.at, part.size));
  }
  return parts;
}

// Returns a braid of these sections. Keeps the old checksum of a section that must appear damaged.
std::string sealed(const Parts& parts) {
  std::string file = parts.header;
  std::vector<Part> directory;
  for (const std::string& part : parts.all) {
    directory.push_back({file.size(), part.size(), XXH3_64bits(part.data(), part.size())});
    file += part;
    file.resize((file.size() + kPartAlign - 1) / kPartAlign * kPartAlign);
  }
  const size_t bytes = directory.size() * sizeof(Part);
  put_at(file, kPartsAt, static_cast<uint32_t>(directory.size()));
  put_at(file, kDirectoryAt, uint64_t{file.size()});
  put_at(file, kDirectoryChecksumAt, uint64_t{XXH3_64bits(directory.data(), bytes)});
  file.append(reinterpret_cast<const char*>(directory.data()), bytes);
  put_at(file, kFileBytesAt, uint64_t{file.size()});
  put_at(file, kChecksumAt, uint64_t{XXH3_64bits(file.data(), kChecksumAt)});
  return file;
}

// Stores the file in memory, where it is opened repeatedly.
const std::string& write_input(std::string_view bytes) {
  static const int file = memfd_create("input", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (file < 0 || ftruncate(file, 0) != 0 ||
      pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  return path;
}

Result<std::shared_ptr<const Trace>> open(std::string_view bytes) {
  Progress progress;
  const std::vector<std::string> inputs{write_input(bytes)};
  return Trace::open(*Engine::create({.threads = 1}), inputs, {}, progress);
}

Parts make_braid() {
  const Result<std::shared_ptr<const Trace>> trace = open(kTrace);
  TB_ASSERT(trace);
  const std::string path = "/tmp/tracebraid.fuzz." + std::to_string(::getpid());
  Result<NewFile> file = NewFile::create(path, {});
  Progress progress;
  TB_ASSERT(file && write_braid((*trace)->merged(), 1, *file, progress));
  std::string bytes(std::filesystem::file_size(file->written_path()), '\0');
  const int reading = ::open(file->written_path().c_str(), O_RDONLY | O_CLOEXEC);
  TB_ASSERT(::read(reading, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(reading);
  Parts parts = parts_of(bytes);
  TB_ASSERT(sealed(parts) == bytes);
  return parts;
}

// Returns the next number of the input; 0 after its end.
uint64_t take(std::string_view& from, size_t bytes) {
  uint64_t value = 0;
  bytes = std::min(bytes, from.size());
  std::memcpy(&value, from.data(), bytes);
  from.remove_prefix(bytes);
  return value;
}

void change(Parts& parts, std::string_view& input) {
  constexpr size_t kMostBytes = 1 << 16;
  std::string& part = parts.all[take(input, 2) % parts.all.size()];
  const auto what = take(input, 1);
  const size_t width = std::array<size_t, 4>{1, 2, 4, 8}[what & 3];
  if (what >= 240) {
    part.resize(take(input, 2) % kMostBytes);
    return;
  }
  if (part.size() < width) return;
  // Most changes are aligned to the width of numbers.
  size_t at = take(input, 2) % (part.size() - width + 1);
  if (what < 200) at -= at % width;
  const uint64_t value = take(input, width);
  std::memcpy(part.data() + at, &value, width);
}

struct Ignored final : RowSink {
  void columns(std::span<const std::string>) override {}
  bool row(std::span<const Cell>) override { return true; }
};

// Errors are valid results for a damaged file.
void ask(const std::shared_ptr<const Trace>& trace) {
  Ignored sink;
  const auto connection = TraceConnection::open(trace);
  if (!connection) return;
  const std::vector<RelationInfo> relations = *(*connection)->relations();
  for (const RelationInfo& relation : relations)
    std::ignore = (*connection)->run("SELECT * FROM " + relation.name, sink);
  for (const std::string_view sql :
       {"SELECT extract_arg(arg_set_id, 'args.n'), __intrinsic_arg_set_to_json(arg_set_id), "
        "to_realtime(ts), abs_time_str(ts) FROM slice",
        "SELECT track.name, sum(dur), count(*) FROM slice JOIN track ON track_id = track.id "
        "WHERE depth < 9 GROUP BY track.name",
        "SELECT * FROM slice JOIN args USING (arg_set_id) ORDER BY key, ts",
        "SELECT clock_convert(ts, NULL, NULL, 'REALTIME', NULL), clock_error(ts, NULL, NULL, "
        "'REALTIME', NULL) FROM slice"})
    std::ignore = (*connection)->run(sql, sink);
  for (const std::string_view kind : {"perfetto", "json"}) {
    Progress progress;
    std::ignore = export_trace(trace, kind, {.path = "/dev/null"}, progress);
  }
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  static const Parts whole = make_braid();
  Parts parts = whole;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  // Sections without corrected checksums must be reported as damaged.
  const size_t unsealed = take(input, 1) == 255 ? take(input, 2) : 0;
  while (!input.empty()) change(parts, input);
  std::string bytes = sealed(parts);
  if (unsealed != 0) bytes[unsealed % bytes.size()] ^= 1;
  const Result<std::shared_ptr<const Trace>> trace = open(bytes);
  if (trace) ask(*trace);
  TB_ASSERT(size != 0 || trace);
  return 0;
}
