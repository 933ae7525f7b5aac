#include "format/proto/deferred_chunk.h"

#include <algorithm>
#include <map>

#include "event/event_kind.h"
#include "event/stream_rank.h"
#include "format/proto/packet_info.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/copy_track.h"
#include "format/proto/track_event/descriptors.h"
#include "format/proto/track_event/stats.h"

namespace tracebraid::proto {

struct DeferredReader::State {
  State(DeferredReader& reader, EventSink& sink)
      : clocks(sink),
        track_events(clocks, translations, reader.pool_, sink),
        sched_notes(sink.batch()) {}

  Clocks clocks;
  Translations translations;
  TrackEventReader track_events;
  CompactSchedReader compact;
  SchedNotes sched_notes;
  std::vector<Sequence> sequences;  // by writer
  std::vector<ClockUse> last_clocks;
};

void DeferredReader::read(std::string_view translations, EventSink& sink) {
  sink_ = &sink;
  sink.batch().machines = std::move(chunk_.machines);
  State state(*this, sink);
  read_translations(translations, state.translations, sink);
  for (uint32_t machine = 0; machine < chunk_.tracks.size(); ++machine) {
    auto& known = chunk_.tracks[machine];
    tracks_.push_back(known ? std::make_unique<Tracks>(machine, sink, std::move(known)) : nullptr);
  }
  for (DeferredWriter& writer : chunk_.writers) {
    Sequence& sequence = state.sequences.emplace_back();
    sequence.id = writer.id;
    sequence.is_valid = writer.is_valid;
    sequence.has_first_packet = writer.has_first_packet;
    sequence.defaults = std::move(writer.defaults);
    sequence.thread = writer.thread;
    sequence.counters = std::move(writer.counters);
    if (writer.interned.empty()) continue;
    sequence.interned = std::make_unique<InternedData>();
    for (const InternedLog::Part& part : writer.interned)
      read_interned(*part, *sequence.interned, sink);
  }
  state.last_clocks.resize(state.sequences.size());
  make_room();
  for (const DeferredStep& step : chunk_.steps) read_step(step, state);
  for (Stream& stream : sink.batch().streams)
    stream.rank = segment_rank(stream.rank, chunk_.segment);
  spare_->give(std::move(chunk_.steps));
  chunk_ = {};
  v8_chunks_ = std::move(state.track_events.v8_chunks());
}

void DeferredReader::make_room() {
  std::map<uint32_t, size_t> events;  // by rank of the stream
  size_t track_events = 0;
  for (const DeferredStep& step : chunk_.steps) {
    if (step.what == DeferredStep::What::TrackEvent) ++track_events;  // nearly all are one event
    if (step.what == DeferredStep::What::CompactSched)
      events[CompactSchedReader::stream_rank(step.cpu())] += step.events();
  }
  if (track_events > 0) events[0] = track_events;
  for (const auto& [rank, count] : events) {
    if (count == 0) continue;
    Stream& stream = stream_of(rank);
    rank == 0 ? stream.events.reserve(count) : stream.sched.reserve(count);
  }
}

Stream& DeferredReader::stream_of(uint32_t rank) {
  std::vector<Stream>& streams = sink_->batch().streams;
  const auto at = std::ranges::find(streams, rank, &Stream::rank);
  if (at != streams.end()) return *at;
  return streams.emplace_back(Stream{.rank = rank, .events = {}});
}

PacketInfo DeferredReader::packet_info(const DeferredStep& step, State& state) {
  PacketInfo info{.machine = chunk_.writers[step.writer].machine,
                  .at = step.at,
                  .sequence = &state.sequences[step.writer],
                  .has_time = true};
  info.time = {step.ticks, clock(step.clock, state.last_clocks[step.writer])};
  return info;
}

void DeferredReader::read_step(const DeferredStep& step, State& state) {
  Sequence& sequence = state.sequences[step.writer];
  switch (step.what) {
    case DeferredStep::What::TrackEvent: {
      const PacketInfo info = packet_info(step, state);
      state.track_events.read(info, step.message(), *tracks_[info.machine]);
      break;
    }
    case DeferredStep::What::Descriptor: {
      const PacketInfo info = packet_info(step, state);
      read_declared_track(info, step.message(), *tracks_[info.machine], state.clocks, *sink_);
      break;
    }
    case DeferredStep::What::CompactSched: {
      const uint32_t index = clock(step.clock, state.last_clocks[step.writer]);
      state.compact.read_records(
          {.machine = chunk_.writers[step.writer].machine, .cpu = step.cpu(), .at = step.at},
          step.message(), index, state.sched_notes,
          stream_of(CompactSchedReader::stream_rank(step.cpu())).sched, *sink_);
      break;
    }
    case DeferredStep::What::Clear:
      sequence.clear();
      break;
    case DeferredStep::What::Loss:
      sequence.lose_packets();
      break;
    case DeferredStep::What::Defaults:
      sequence.defaults = read_defaults(step.message());
      break;
    case DeferredStep::What::Interned:
      if (!sequence.interned) sequence.interned = std::make_unique<InternedData>();
      read_interned(step.message(), *sequence.interned, *sink_);
      break;
  }
}

// Names get their values at the end, because a later snapshot may change them.
uint32_t DeferredReader::clock(uint32_t from, ClockUse& last) {
  if (last.from == from) return last.to;
  std::vector<ClockName>& names = sink_->batch().clocks;
  const auto [at, added] = clocks_.try_emplace(from, static_cast<uint32_t>(names.size()));
  if (added) names.emplace_back();
  last = {from, at->second};
  return last.to;
}

std::vector<Tracks::Use> DeferredReader::uses(uint32_t machine) const {
  if (machine >= tracks_.size() || !tracks_[machine]) return {};
  return tracks_[machine]->uses();
}

void DeferredReader::finish(const FileNames& names, const std::vector<uint32_t>& places) {
  if (sink_ == nullptr) return;  // never read, because the memory limit was exceeded
  EventBatch& batch = sink_->batch();
  rename_view_classes(names.view_classes, batch);
  for (ClockName& clock : batch.clocks)
    clock.tick_ns = names.clocks.tick_ns(clock.machine, clock.domain, clock.sequence);
  for (const auto& [from, to] : clocks_) batch.clocks[to] = names.batch.clocks[from];
  TrackCopier copier(names.batch, *sink_);
  auto place = places.begin();
  std::vector<std::pair<uint32_t, uint32_t>> copies;  // indexes of the source and of the copy
  for (uint32_t machine = 0; machine < tracks_.size(); ++machine) {
    BrokenTracks broken;
    for (const Tracks::Use& use : uses(machine)) {
      const uint32_t from = *place++;
      copier.place(from, use.slot);
      copies.emplace_back(from, use.slot);
      if (const auto at = names.broken.find(from); at != names.broken.end())
        broken.emplace(use.slot, at->second);
    }
    drop_broken_events(broken, machine, *sink_);
  }
  for (const auto& [from, to] : copies) {
    const TrackName name = copier.name(from);
    batch.tracks[to] = name;
  }
}

void drop_broken_events(const BrokenTracks& broken, uint32_t machine, EventSink& sink) {
  if (broken.empty()) return;
  const auto is_lost = [&](const Event& event) {
    bool is_flow = false;
    switch (event.what()) {
      case EventKind::SliceBegin:
      case EventKind::SliceEnd:
      case EventKind::Slice:
      case EventKind::Instant:
      case EventKind::Counter:
      case EventKind::State:
        break;
      case EventKind::FlowStart:
      case EventKind::FlowStep:
      case EventKind::FlowEnd:
      case EventKind::FlowEndHere:
        is_flow = true;
        break;
      default:
        return false;
    }
    const auto at = broken.find(event.track);
    if (at == broken.end()) return false;
    if (at->second) sink.tally(*at->second, 1, machine);
    sink.tally(stats::track_event_parser_errors, 1, machine);
    if (!is_flow) sink.tally(stats::track_event_dropped, 1, machine);
    return true;
  };
  for (Stream& stream : sink.batch().streams) std::erase_if(stream.events, is_lost);
}

}  // namespace tracebraid::proto
