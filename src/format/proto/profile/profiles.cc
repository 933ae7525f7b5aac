#include "format/proto/profile/profiles.h"

#include "format/proto/generated/fields.h"
#include "format/proto/profile/stats.h"
#include "format/proto/profile/symbols.h"

namespace tracebraid::proto {

bool read_profile_packet(const PacketInfo& packet, uint32_t field, std::string_view message,
                         Profiles& profiles, PacketOutput& out) {
  using Field = field::TracePacket;
  switch (field) {
    case Field::kPerfSample:
      profiles.samples.read_perf_sample(packet, message, out);
      if (packet.sequence->defaults.perf)
        profiles.shards.try_emplace({packet.machine, packet.sequence->id},
                                    *packet.sequence->defaults.perf);
      return true;
    case Field::kStackSample:
      profiles.samples.read_stack_sample(packet, message, out);
      return true;
    case Field::kStreamingProfilePacket:
      profiles.samples.read_streaming_profile(packet, message, out);
      return true;
    case Field::kProfilePacket:
      profiles.heap_profiles.read(packet, message, out);
      return true;
    case Field::kHeapGraph:
      profiles.heap_graphs.read(packet, message, out);
      return true;
    case Field::kModuleSymbols:
      read_module_symbols(packet, message, out.sink);
      return true;
    case Field::kDeobfuscationMapping:
      read_deobfuscation(message, out.sink);
      return true;
    case Field::kSmapsPacket:
      read_smaps(packet, message, out);
      return true;
    default:
      return profiles.v8_codes.read(packet, field, message, out);
  }
}

void finish_profiles(Profiles& profiles, PacketOutput& out) {
  profiles.samples.finish(out.sink);
  profiles.heap_profiles.finish(out);
  profiles.heap_graphs.finish(out);
  profiles.v8_codes.finish(out);
  // Number of the next session; sessions count from 0 on each machine.
  std::map<uint32_t, int32_t> sessions;
  for (const auto& [key, defaults] : profiles.shards) {
    const int32_t session = sessions[key.first]++;
    if (defaults.shard_count)
      out.sink.tally(stats::perf_process_shard_count, *defaults.shard_count, key.first, session);
    if (defaults.chosen_shard)
      out.sink.tally(stats::perf_chosen_process_shard, *defaults.chosen_shard, key.first, session);
  }
}

}  // namespace tracebraid::proto
