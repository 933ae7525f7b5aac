// Compact scheduling: spec proto 5.1 and 5.3.
#include <algorithm>

#include "generate/proto_trace.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kFirstSequence = 100'000;
constexpr size_t kBundleEvents = 512;
constexpr int64_t kRunnable = 0, kSleeping = 1;  // prev_state
constexpr int32_t kPriority = 120;

// Returns the difference to the time before; the first to 0.
uint64_t advance(int64_t& last, int64_t ts) {
  auto step = static_cast<uint64_t>(ts - last);
  last = ts;
  return step;
}

uint64_t index_of(std::vector<std::string_view>& table, std::string_view text) {
  auto at = std::find(table.begin(), table.end(), text);
  if (at == table.end()) at = table.insert(table.end(), text);
  return static_cast<uint64_t>(at - table.begin());
}

}  // namespace

SchedWriter::SchedWriter(const Workload& workload)
    : workload_(workload), bundles_(workload.cpus()) {}

int32_t SchedWriter::tid(uint32_t thread) const {
  return thread == kIdle ? 0 : static_cast<int32_t>(workload_.threads()[thread].tid);
}

std::string_view SchedWriter::comm(uint32_t thread) const {
  if (thread == kIdle) return "swapper";
  return std::string_view(workload_.threads()[thread].name).substr(0, 15);
}

void SchedWriter::write(const WorkloadEvent& h, std::string& out) {
  if (h.what != What::Switch && h.what != What::Waking) return;
  Bundle& bundle = bundles_[h.cpu];
  if (h.what == What::Switch) {
    bundle.switch_ts.push_back(advance(bundle.last_switch, h.ts));
    bundle.prev_state.push_back(h.prev_runnable ? kRunnable : kSleeping);
    bundle.next_pid.push_back(tid(h.next));
    bundle.switch_comm.push_back(index_of(bundle.comms, comm(h.next)));
  } else {
    bundle.waking_ts.push_back(advance(bundle.last_waking, h.ts));
    bundle.waking_pid.push_back(tid(h.next));
    bundle.waking_comm.push_back(index_of(bundle.comms, comm(h.next)));
  }
  if (bundle.switch_ts.size() >= kBundleEvents) flush(h.cpu, out);
}

void SchedWriter::finish(std::string& out) {
  for (uint32_t cpu = 0; cpu < bundles_.size(); ++cpu) flush(cpu, out);
}

void SchedWriter::flush(uint32_t cpu, std::string& out) {
  Bundle& b = bundles_[cpu];
  if (b.switch_ts.empty() && b.waking_ts.empty()) return;
  Packet packet(out, kFirstSequence + cpu);
  protozero::pbf_writer bundle(packet, 1);
  bundle.add_uint32(1, cpu);
  protozero::pbf_writer compact(bundle, 4);
  std::vector<int32_t> switch_prio(b.switch_ts.size(), kPriority);
  std::vector<int32_t> waking_prio(b.waking_ts.size(), kPriority),
      target(b.waking_ts.size(), static_cast<int32_t>(cpu));
  std::vector<uint32_t> flags(b.waking_ts.size(), 0);
  compact.add_packed_uint64(1, b.switch_ts.begin(), b.switch_ts.end());
  compact.add_packed_int64(2, b.prev_state.begin(), b.prev_state.end());
  compact.add_packed_int32(3, b.next_pid.begin(), b.next_pid.end());
  compact.add_packed_int32(4, switch_prio.begin(), switch_prio.end());
  for (std::string_view comm : b.comms) compact.add_string(5, comm.data(), comm.size());
  compact.add_packed_uint64(6, b.switch_comm.begin(), b.switch_comm.end());
  compact.add_packed_uint64(7, b.waking_ts.begin(), b.waking_ts.end());
  compact.add_packed_int32(8, b.waking_pid.begin(), b.waking_pid.end());
  compact.add_packed_int32(9, target.begin(), target.end());
  compact.add_packed_int32(10, waking_prio.begin(), waking_prio.end());
  compact.add_packed_uint64(11, b.waking_comm.begin(), b.waking_comm.end());
  compact.add_packed_uint32(12, flags.begin(), flags.end());
  b = {};
}

}  // namespace tracebraid::generate
