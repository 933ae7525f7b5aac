// The format: call trees copied from Instruments ("deep copy"): lines of weight, self weight and
// symbol, which is indented by its depth. They have no times and become an aggregate profile.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"
#include "format/common/aggregate_profile.h"
#include "format/common/lines.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::instruments_text {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kMaxFailureText = 256;

// The unit of a weight, and its factor.
struct Unit {
  std::string_view name;
  std::string_view type, unit;
  double factor;
};
constexpr Unit kUnits[] = {
    {"ns", "time", "nanoseconds", 1},
    {"us", "time", "nanoseconds", 1e3},
    {"µs", "time", "nanoseconds", 1e3},
    {"ms", "time", "nanoseconds", 1e6},
    {"s", "time", "nanoseconds", 1e9},
    {"min", "time", "nanoseconds", 60e9},
    {"h", "time", "nanoseconds", 3600e9},
    {"cycles", "cycles", "count", 1},
    {"Kc", "cycles", "count", 1e3},
    {"Mc", "cycles", "count", 1e6},
    {"Gc", "cycles", "count", 1e9},
    {"Bytes", "space", "bytes", 1},
    {"bytes", "space", "bytes", 1},
    {"KB", "space", "bytes", 1024},
    {"MB", "space", "bytes", 1024.0 * 1024},
    {"GB", "space", "bytes", 1024.0 * 1024 * 1024},
    {"", "samples", "count", 1},
};

struct Weight {
  double value = 0;
  const Unit* unit = nullptr;  // null: no measurement
};

// Parses "404.75 Mc", "0 s", "1638.0ms   99.9%", "-". `usual` is the unit of numbers without one.
std::optional<Weight> parse_weight(std::string_view text, std::string_view usual) {
  text = trim(text);
  Weight weight;
  if (text.empty() || text == "-") return weight;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, weight.value);
  if (error != std::errc()) return std::nullopt;
  text = trim({stop, static_cast<size_t>(end - stop)});
  std::string_view name = take_word(text);
  if (name.empty() || is_digit(name.front())) name = usual;
  for (const Unit& unit : kUnits)
    if (unit.name == name) weight.unit = &unit;
  if (weight.unit == nullptr) return std::nullopt;
  weight.value *= weight.unit->factor;
  return weight;
}

// The positions of the columns, from the first line.
struct Columns {
  size_t self = 0, symbol = 0;
  std::string_view usual_unit;  // "ms" of "Self (ms)"
};

std::optional<Columns> parse_head(std::string_view line) {
  Columns columns;
  bool has_self = false;
  for (size_t i = 0; !line.empty(); ++i) {
    const std::string_view name = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(name.size() + 1, line.size()));
    if (name.starts_with("Self")) {
      has_self = true;
      columns.self = i;
      const size_t open = name.find('(');
      if (open != std::string_view::npos && name.ends_with(')'))
        columns.usual_unit = name.substr(open + 1, name.size() - open - 2);
    }
    if (!name.starts_with("Symbol Name")) continue;
    columns.symbol = i;
    return has_self && line.empty() ? std::optional(columns) : std::nullopt;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), profile_(sink) {}

  void line(std::string_view text, uint64_t at) {
    if (trim(text).empty()) return;
    if (!is_headed_) {
      is_headed_ = true;
      columns_ = parse_head(text).value_or(Columns{});
      usual_unit_ = columns_.usual_unit;
      return;
    }
    if (!read_row(text))
      sink_.count(stats::collapsed_bad_line, at, text.substr(0, kMaxFailureText));
  }

 private:
  bool read_row(std::string_view text) {
    std::string_view self;
    for (size_t i = 0; i < columns_.symbol; ++i) {
      const size_t tab = text.find('\t');
      if (tab == std::string_view::npos) return false;
      if (i == columns_.self) self = text.substr(0, tab);
      text.remove_prefix(tab + 1);
    }
    const size_t depth = text.find_first_not_of(" \t");
    const std::optional<Weight> weight = parse_weight(self, usual_unit_);
    if (depth == std::string_view::npos || !weight) return false;
    while (!open_.empty() && open_.back().first >= depth) open_.pop_back();
    const uint32_t caller = open_.empty() ? kNone : open_.back().second;
    const uint32_t callsite = sink_.callsite(caller, profile_.frame(trim(text.substr(depth))));
    open_.emplace_back(depth, callsite);
    if (weight->unit != nullptr && weight->value > 0) sample(callsite, *weight);
    return true;
  }

  void sample(uint32_t callsite, const Weight& weight) {
    if (!std::exchange(has_begun_, true))
      profile_.begin("instruments_text", weight.unit->type, weight.unit->unit);
    profile_.sample(callsite, weight.value);
  }

  EventSink& sink_;
  AggregateProfile profile_;
  bool is_headed_ = false, has_begun_ = false;
  Columns columns_;
  std::string usual_unit_;
  std::vector<std::pair<size_t, uint32_t>> open_;  // callers: depth, callsite
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  Reader reader(chunks.add());
  for_each_line(input, kBlockBytes,
                [&](std::string_view line, uint64_t at, bool) { reader.line(line, at); });
  return {};
}

Match sniff(const Peek& peek) {
  std::string_view line = peek.head.substr(0, peek.head.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return parse_head(line) ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "instruments_text",
    .title = "Instruments call tree (text)",
    .about =
        "The text of Instruments' \"deep copy\" of a call tree: the own weight of each callstack "
        "in time, cycles or bytes.",
    .times = "none; there are no times and no threads.",
    .tables = "aggregate_profile, aggregate_sample, the stack_profile tables.",
    .clock = {},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::instruments_text
