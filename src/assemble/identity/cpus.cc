#include "assemble/identity/cpus.h"

#include <algorithm>

namespace tracebraid {
namespace {

// Limits the rows of a file with very many machines; further machines get no CPUs.
constexpr uint32_t kMaxMachines = 256;

void describe(const CpuFacts& facts, uint32_t ucpu, Store& store) {
  CpuTable& cpus = store.cpus;
  if (facts.cluster_id >= 0) cpus.cluster_id.at(ucpu).value = facts.cluster_id;
  if (facts.capacity >= 0) cpus.capacity.at(ucpu).value = facts.capacity;
  if (facts.processor) cpus.processor.at(ucpu) = facts.processor;
  for (const int64_t frequency : facts.frequencies) {
    store.cpu_freqs.ucpu.append(ucpu);
    store.cpu_freqs.freq.append(frequency);
  }
}

}  // namespace

bool Cpus::note(uint32_t machine, int64_t cpu) {
  if (cpu < 0 || cpu >= kCpusOfMachine || machine >= kMaxMachines) return false;
  if (machine >= counts_.size()) counts_.resize(machine + 1);
  counts_[machine] = std::max(counts_[machine], static_cast<uint32_t>(cpu) + 1);
  return true;
}

void Cpus::fill(std::span<const PlacedBatch> batches, DeferredArgs& args, Store& store) {
  for (const PlacedBatch& from : batches)
    for (const CpuFacts& facts : from.batch.cpus) note(from.machines[facts.machine].row, facts.cpu);

  CpuTable& cpus = store.cpus;
  for (uint32_t machine = 0; machine < counts_.size(); ++machine) {
    const bool is_last = machine + 1 == counts_.size();
    for (uint32_t cpu = 0; cpu < (is_last ? counts_[machine] : kCpusOfMachine); ++cpu) {
      cpus.cpu.append({cpu < counts_[machine] ? cpu : OptInt::kNull});
      cpus.cluster_id.append({cpu < counts_[machine] ? 0 : OptInt::kNull});
      cpus.processor.append({});
      cpus.machine_id.append(machine);
      cpus.capacity.append({});
      cpus.arg_set_id.append({});
    }
  }
  for (uint32_t batch = 0; batch < batches.size(); ++batch) {
    const PlacedBatch& from = batches[batch];
    for (const CpuFacts& facts : from.batch.cpus) {
      const uint32_t machine = from.machines[facts.machine].row;
      if (!note(machine, facts.cpu)) continue;
      const uint32_t ucpu = ucpu_of(machine, facts.cpu);
      describe(facts, ucpu, store);
      cpus.arg_set_id.at(ucpu).row = args.set({batch, facts.args});
    }
  }
}

}  // namespace tracebraid
