// The format: logs of the BattOr power meter (spec json 11.5).
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "base/words.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/system_tracks.h"
#include "format/battor/stats.h"
#include "format/common/text_lines.h"
#include "format/format.h"

namespace tracebraid::battor {
namespace {

constexpr std::string_view kHeader = "# BattOr";

struct Sample {
  int64_t ns = 0;
  double millivolts = 0, milliamperes = 0;
  std::string_view sync_id;
};

Match sniff(const Peek& peek) { return peek.head.starts_with(kHeader) ? Match::Sure : Match::No; }

bool to_double(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && std::isfinite(value);
}

// Parses "12.5 4000.0 250.0", optionally with "<id>".
std::optional<Sample> parse_sample(std::string_view line) {
  constexpr double kNsPerMs = 1e6, kMostNs = 9e18;
  Sample sample;
  double ms = 0;
  if (!to_double(take_word(line), ms) || !to_double(take_word(line), sample.millivolts) ||
      !to_double(take_word(line), sample.milliamperes))
    return std::nullopt;
  const double ns = std::round(ms * kNsPerMs);
  if (std::abs(ns) > kMostNs) return std::nullopt;
  sample.ns = static_cast<int64_t>(ns);
  const std::string_view id = take_word(line);
  if (!id.empty() && !(id.starts_with('<') && id.ends_with('>') && id.size() > 2))
    return std::nullopt;
  if (!id.empty()) sample.sync_id = id.substr(1, id.size() - 2);
  if (!take_word(line).empty()) return std::nullopt;
  return sample;
}

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr double kWattsPerProduct = 1e-6;  // product of mV and mA
  EventSink& sink = chunks.add();
  SystemTracks tracks(sink);
  const uint32_t clock = sink.clock({.domain = kPrivateClock, .by_default = true});
  const uint32_t track =
      tracks.global_counter(0, {.type = "battor_power", .name = "power", .unit = "W"});
  const Block block = input.all();
  for_each_line(block.bytes, block.at, [&](std::string_view line, uint64_t offset) {
    if (line.empty() || line.starts_with('#')) return;
    const std::optional<Sample> sample = parse_sample(line);
    if (!sample) return sink.count(stats::battor_parse_failure, offset, line);
    if (!sample->sync_id.empty())
      sink.batch().sync_markers.push_back({.clock = clock,
                                           .domain = sink.string("BATTOR"),
                                           .sync_id = sink.string(sample->sync_id),
                                           .begin = sample->ns,
                                           .end = sample->ns});
    if (sample->millivolts < 0 || sample->milliamperes < 0)  // the device was charged
      return sink.count(stats::battor_negative_sample, offset, line);
    emit_counter({sample->ns, clock}, track,
                 sample->millivolts * sample->milliamperes * kWattsPerProduct, sink);
  });
  sink.batch().clock_domains.push_back({.clock = clock, .name = sink.string("BATTOR")});
  input.done(block);
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "battor",
    .title = "BattOr power log",
    .about = "Voltage and current over time of the BattOr power meter.",
    .times = "the file's own (BATTOR).",
    .anchors = "Sync ids in the log: moments that other traces recorded too.",
    .tables = "counter (power, in W).",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::battor
