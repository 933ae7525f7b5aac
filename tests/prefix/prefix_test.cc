// Reads every prefix of every input of the vectors: none crashes, and each loss is reported.
//
//   prefix_test FOLDER [TEXT]      inputs below FOLDER (trace.*), those with TEXT in the path
//
// The prefixes of a file end at 64 evenly spread offsets and at each of its last 64 bytes; with
// TRACEBRAID_SHORT in the environment at 12 of each.
//
// The rule: a file is a sequence of units (units.h), such as packets, records, lines or elements of
// an array; a JSON object, a page or an archive is one unit. A prefix that ends with a unit looks
// like a complete file, so nothing can be reported. A few bytes may look like a file of another
// format; then the units of that format count. Every other prefix meets one of these conditions:
//
//   1. The prefix is refused with an error.
//   2. A loss is reported that is not reported of the whole units of the prefix alone (of the whole
//      file if those are refused). Losses are problems, stats of the severities data_loss and
//      error, and rows of the import log.
//   3. Nothing is missing: the rows are those of the prefix that ends with the unit, in all tables
//      except those about the reading itself (stats, log, files, metadata).
//   4. The unit is a line, and its start is read as a line: the rows differ from those without it.
//   5. The start of the unit is blank, or a comment.
//
// kExceptions lists the exceptions with their reasons.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "container/sniff.h"
#include "container/trace_input.h"
#include "merge/merge.h"
#include "tests/prefix/units.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCuts = 64, kFewCuts = 12;  // evenly spread, and as many at the end
constexpr int64_t kMostOfAStat = int64_t{1} << 32;

// Prefixes that may hide a loss: of inputs with this text in the path, with this many bytes.
struct Exception {
  std::string_view path;
  size_t least = 0, most = 0;
  std::string_view reason;
};
constexpr Exception kExceptions[] = {
    {"/strace_octal_and_killed/", 327, 327, "the line reads as one of a call that goes on"},
};

bool is_exception(const fs::path& path, size_t cut) {
  return std::ranges::any_of(kExceptions, [&](const Exception& one) {
    return path.string().find(one.path) != std::string::npos && cut >= one.least && cut <= one.most;
  });
}

// The result of reading.
struct Outcome {
  bool refused = false;
  int64_t reported = 0;          // problems, stats of losses and errors, rows of the import log
  std::set<std::string> losses;  // the problems, and the rows of the log
  uint64_t content = 0;          // hash of all rows except those about the file
  size_t rows = 0;
};

uint64_t mix(uint64_t hash, uint64_t value) {
  return (std::rotl(hash, 23) ^ value) * 0x9E3779B97F4A7C15U;
}

uint64_t mix_text(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return mix(hash, text.size());
}

// Returns whether the table is about the reading: it has the size and the hash of the file, and
// counts.
bool is_about_reading(std::string_view table) {
  return table == "__intrinsic_stats" || table == "__intrinsic_trace_import_logs" ||
         table == "__intrinsic_trace_file" || table == "__intrinsic_metadata";
}

// Returns the arg sets of the import log, which are about the reading as well.
std::set<int64_t> sets_of_log(const Store& store) {
  std::set<int64_t> sets;
  for (size_t row = 0; row < store.import_logs.rows(); ++row)
    sets.insert(int64_t{store.import_logs.arg_set_id[row].row});
  return sets;
}

void add_row(const TableView& table, size_t row, const StringPool& strings, Outcome& outcome) {
  uint64_t hash = mix_text(outcome.content, table.name);
  for (const ColumnView& column : table.columns) {
    const Cell value = cell(column, row, strings);
    hash = mix(hash, static_cast<uint64_t>(value.kind));
    hash = mix(hash, static_cast<uint64_t>(value.integer));
    hash = mix(hash, std::bit_cast<uint64_t>(value.real));
    hash = mix_text(hash, value.text);
  }
  outcome.content = hash;
  ++outcome.rows;
}

void add_content(const Store& store, Outcome& outcome) {
  const std::set<int64_t> log = sets_of_log(store);
  for (const TableView& table : store.views()) {
    if (is_about_reading(table.name)) continue;
    const auto* const set =
        table.name == "__intrinsic_args" || table.name == "__intrinsic_args_full"
            ? &*std::ranges::find(table.columns, "arg_set_id", &ColumnView::name)
            : nullptr;
    for (size_t row = 0; row < table.rows; ++row)
      if (set == nullptr || !log.contains(cell(*set, row, store.strings).integer))
        add_row(table, row, store.strings, outcome);
  }
}

// Adds the reported losses.
void add_losses(const Merged& merged, Outcome& outcome) {
  const Store& store = *merged.store;
  const ImportLogTable& log = store.import_logs;
  outcome.reported += static_cast<int64_t>(merged.problems.size() + log.rows());
  for (const Problem& problem : merged.problems) outcome.losses.insert(problem.error.message);
  for (size_t row = 0; row < log.rows(); ++row)
    outcome.losses.insert(fmt::format("{} at {}", log.stat_key[row], log.byte_offset[row].value));
  for (size_t row = 0; row < store.stats.rows(); ++row) {
    const std::string_view severity = store.strings.get(store.stats.severity[row]);
    // Reads all stats, because values may be anything and there are few stats.
    if (severity == "data_loss" || severity == "error")
      outcome.reported += std::clamp(store.stats.value[row], int64_t{0}, kMostOfAStat);
  }
}

// Reads bytes as a file whose name does not give its format.
class Reader {
 public:
  Outcome read(std::string_view bytes) {
    Progress progress;
    const std::vector inputs{buffer_input("input", bytes, {})};
    const Result<Merged> merged = merge(inputs, {}, workers_, progress);
    Outcome outcome{.refused = !merged};
    if (!merged) return outcome;
    add_losses(*merged, outcome);
    add_content(*merged->store, outcome);
    return outcome;
  }

 private:
  Workers workers_{1};
};

std::string_view type_of(std::string_view bytes) {
  const ContainerKind kind = sniff_container(bytes.substr(0, kSniffBytes));
  if (kind != ContainerKind::None) return name_of(kind);
  const Format* const format = detect({.head = bytes.substr(0, kPeekBytes), .name = "x"});
  return format == nullptr ? "unknown" : format->name;
}

// Returns the last bytes, printable.
std::string shown(std::string_view text) {
  constexpr size_t kShown = 40;
  std::string tail(text.substr(text.size() - std::min(kShown, text.size())));
  for (char& c : tail)
    if (c < ' ' || c > '~') c = '.';
  return tail;
}

// Returns whether the start of a unit is blank, or a comment.
bool has_no_content(std::string_view start, UnitKind kind) {
  const size_t first = start.find_first_not_of(" \t\r\n");
  const bool is_text = kind == UnitKind::Lines || kind == UnitKind::Elements;
  if (first == start.npos) return is_text;
  return kind == UnitKind::Lines && start[first] == '#';
}

class PrefixesOfOne {
 public:
  PrefixesOfOne(std::string_view bytes, size_t cuts, Reader& reader)
      : bytes_(bytes),
        count_(cuts),
        reader_(reader),
        type_(type_of(bytes)),
        units_(units_of(bytes, type_)) {}

  std::vector<std::string> flaws(const fs::path& path) {
    std::vector<std::string> found;
    for (const size_t cut : cuts())
      if (std::string flaw = flaw_of(cut); !flaw.empty() && !is_exception(path, cut))
        found.push_back(std::move(flaw));
    return found;
  }

 private:
  std::set<size_t> cuts() const {
    std::set<size_t> all;
    for (size_t i = 0; i < count_; ++i) all.insert(bytes_.size() * i / count_);
    for (size_t i = 1; i <= std::min(count_, bytes_.size()); ++i) all.insert(bytes_.size() - i);
    return all;
  }

  const Outcome& outcome(size_t size) {
    const auto [at, is_new] = outcomes_.try_emplace(size);
    if (is_new) at->second = reader_.read(bytes_.substr(0, size));
    return at->second;
  }

  // Returns whether a loss is reported that is not reported of the units before, or, if those are
  // refused, of the whole file.
  bool reports_loss(const Outcome& now, const Outcome& before) {
    const Outcome& known = before.refused ? outcome(bytes_.size()) : before;
    return now.reported > known.reported ||
           std::ranges::any_of(
               now.losses, [&](const std::string& loss) { return !known.losses.contains(loss); });
  }

  std::string flaw_of(size_t cut) {
    const Outcome now = outcome(cut);
    // A few bytes may look like a file of another format.
    const std::string_view type = type_of(bytes_.substr(0, cut));
    const Units units = type == type_ ? units_ : units_of(bytes_, type);
    const size_t begin = end_before(units, cut);
    const size_t end = end_behind(units, cut);
    if (begin == cut || now.refused) return {};
    const Outcome before = outcome(begin);
    if (reports_loss(now, before)) return {};
    const Outcome& whole = outcome(end);
    if (!whole.refused && whole.content == now.content) return {};
    if (units.kind == UnitKind::Lines && now.content != before.content) return {};
    if (has_no_content(bytes_.substr(begin, cut - begin), units.kind)) return {};
    return fmt::format(
        "{} of {} bytes ({}), within the unit {}-{}; rows without it {}, here {}, "
        "with it {}; behind {}",
        cut, bytes_.size(), type_, begin, end, before.rows, now.rows, whole.rows,
        shown(bytes_.substr(0, cut)));
  }

  std::string_view bytes_;
  size_t count_;
  Reader& reader_;
  std::string_view type_;
  Units units_;
  std::map<size_t, Outcome> outcomes_;
};

struct TestInput {
  fs::path path;
  std::string bytes;
};

std::vector<TestInput> inputs_of(const fs::path& folder, std::string_view filter) {
  std::vector<TestInput> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || !entry.path().filename().string().starts_with("trace.") ||
        path.find(filter) == path.npos)
      continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.push_back({entry.path(), {std::istreambuf_iterator<char>(file), {}}});
  }
  std::ranges::sort(all, {}, &TestInput::path);
  std::set<std::string> seen;
  std::erase_if(all, [&](const TestInput& input) { return !seen.insert(input.bytes).second; });
  return all;
}

int run(const fs::path& folder, std::string_view filter) {
  const std::vector<TestInput> inputs = inputs_of(folder, filter);
  std::vector<std::vector<std::string>> flaws(inputs.size());
  const size_t cuts = std::getenv("TRACEBRAID_SHORT") == nullptr ? kCuts : kFewCuts;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    Reader reader;
    for (size_t i = next++; i < inputs.size(); i = next++)
      flaws[i] = PrefixesOfOne(inputs[i].bytes, cuts, reader).flaws(inputs[i].path);
  };
  std::thread other(work);
  work();
  other.join();
  size_t count = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const std::string& flaw : flaws[i]) {
      std::printf("%s: %s\n", inputs[i].path.c_str(), flaw.c_str());
      ++count;
    }
  std::printf("%zu inputs, %zu prefixes that hide a loss\n", inputs.size(), count);
  return inputs.empty() || count > 0 ? 1 : 0;
}

}  // namespace
}  // namespace tracebraid

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  return tracebraid::run(argv[1], argc > 2 ? argv[2] : "");
}
