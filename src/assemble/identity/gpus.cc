#include "assemble/identity/gpus.h"

namespace tracebraid {

Gpus::Gpus(std::span<const PlacedBatch> batches, DeferredArgs& args, Store& store)
    : table_(store.gpu) {
  for (uint32_t batch = 0; batch < batches.size(); ++batch) {
    const PlacedBatch& from = batches[batch];
    for (const GpuFacts& facts : from.batch.gpus) {
      const uint32_t at = row(from.machines[facts.machine].row, facts.gpu);
      describe(facts, at);
      if (facts.args != kNone) table_.arg_set_id.at(at).row = args.set({batch, facts.args});
    }
  }
}

uint32_t Gpus::row(uint32_t machine, uint32_t gpu) {
  const auto [known, is_new] =
      rows_.try_emplace({machine, gpu}, static_cast<uint32_t>(table_.rows()));
  if (is_new) {
    table_.gpu.append(gpu);
    table_.machine_id.append(machine);
    for (Column<StringId>* column : {&table_.name, &table_.vendor, &table_.model,
                                     &table_.architecture, &table_.uuid, &table_.pci_bdf})
      column->append({});
    table_.arg_set_id.append({});
  }
  return known->second;
}

// Keeps fields that a later file does not give.
void Gpus::describe(const GpuFacts& facts, uint32_t row) {
  const auto set = [&](Column<StringId>& column, StringId value) {
    if (value) column.at(row) = value;
  };
  set(table_.name, facts.name);
  set(table_.vendor, facts.vendor);
  set(table_.model, facts.model);
  set(table_.architecture, facts.architecture);
  set(table_.uuid, facts.uuid);
  set(table_.pci_bdf, facts.pci_bdf);
}

}  // namespace tracebraid
