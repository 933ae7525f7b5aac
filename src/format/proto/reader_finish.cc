// Reader: the end of a file, when all names are known.
#include <fmt/format.h>

#include "format/proto/reader.h"

namespace tracebraid::proto {

std::optional<WholeFileTables> Reader::take_late_tables() {
  for (auto& [raw_id, machine] : machines_) {
    has_late_ |= machine->namespaces.has_late();
    tables_.namespaces.emplace(raw_id, std::move(machine->namespaces));
  }
  if (!has_late_) return std::nullopt;
  return std::move(tables_);
}

// Null for machines without packets.
std::vector<Reader::Machine*> Reader::machines_by_index() const {
  std::vector<Machine*> all;
  for (const uint64_t raw_id : sink_.batch().machines) {
    const auto at = machines_.find(raw_id);
    all.push_back(at == machines_.end() ? nullptr : at->second.get());
  }
  return all;
}

// Gives all tracks their names, in the batches of what was deferred as well. Events on tracks
// that lead nowhere go (spec proto 2.4).
void Reader::finish_tracks() {
  const std::vector<Machine*> all = machines_by_index();
  std::vector<std::vector<uint32_t>> places;
  for (const auto& reader : deferred_.readers()) {
    std::vector<uint32_t>& of_reader = places.emplace_back();
    for (uint32_t i = 0; i < all.size(); ++i)
      for (const Tracks::Use& use : reader->uses(i))
        of_reader.push_back(all[i]->tracks.slot(use.uuid, use.kind, use.is_whole));
  }
  FileNames names{sink_.batch(), clocks_, {}, view_classes(sink_.batch())};
  rename_view_classes(names.view_classes, sink_.batch());
  for (Machine* machine : all) {
    if (machine == nullptr) continue;
    BrokenTracks broken;
    for (const Tracks::Broken& track : machine->tracks.finish(translations_))
      broken.emplace(track.slot, track.cause);
    drop_broken_events(broken, machine->index, sink_);
    names.broken.merge(broken);
  }
  for (size_t i = 0; i < places.size(); ++i) deferred_.readers()[i]->finish(names, places[i]);
}

Result<> Reader::finish() {
  deferred_.wait();
  finish_profiles(profiles_, output_);
  write_v8_profiles(deferred_.add_v8_chunks(track_events_.v8_chunks()), clocks_, sink_);
  for (Machine* machine : machines_by_index())
    if (machine != nullptr) finish_system_packets(machine->index, machine->system, output_);
  deferred_.finish();
  for (const auto& [name, shown] : translations_.process_track_names)
    sink_.batch().process_track_names.emplace_back(name, shown);
  for (Machine* machine : machines_by_index())
    if (machine != nullptr)
      finish_gpu_counters(machine->index, machine->system.gpu_counters, sink_);
  finish_tracks();
  for (const auto& [number, skipped] : skipped_) {
    const std::string_view name = packet_field_name(number);
    sink_.batch().not_imported.push_back({name.empty()
                                              ? fmt::format("packet field {}", number)
                                              : fmt::format("packet {} ({})", name, number),
                                          skipped.count, skipped.bytes});
  }
  if (error_) return tl::unexpected(std::move(*error_));
  return {};
}

}  // namespace tracebraid::proto
