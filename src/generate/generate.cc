#include "generate/generate.h"

namespace tracebraid::generate {

std::span<const Kind> kinds() {
  static constexpr Kind kKinds[] = {
      {"chrome-json", "a browser's Trace Event JSON: nesting, args, counters, flows, async",
       write_chrome_json},
      {"kineto-json", "a machine-learning profile as JSON: operators, kernels, long args",
       write_kineto_json},
      {"track-event", "protobuf TrackEvent: interned, incremental clocks, one writer a thread",
       write_track_event},
      {"track-event-sdk", "the same, where each sequence describes its thread repeatedly",
       write_track_event_sdk},
      {"sched", "protobuf ftrace: compact switches and wakings of eight CPUs", write_sched},
      {"timeline", "protobuf TrackEvent with many threads: bursts, gaps, counters, flows",
       write_timeline},
      {"systrace", "ftrace as text: switches, wakings and user marks", write_systrace},
  };
  return kKinds;
}

const Kind* find_kind(std::string_view name) {
  for (const Kind& kind : kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

Result<> generate(const Kind& kind, const Order& order, const std::string& path) {
  TB_TRY_ASSIGN(Output out, Output::create(path));
  kind.write(order, out);
  return out.close();
}

}  // namespace tracebraid::generate
