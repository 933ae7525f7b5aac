#include "assemble/samples/stacks.h"
#include "assemble/stats.h"
#include "event/stats.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tracebraid {
namespace {

// Frames of a batch differ, but a frame without a mapping gets one, and sets of args may be equal.
bool may_become_equal(const StackTables& stacks) {
  const auto is_open = [&](const StackFrame& frame) {
    return frame.args != kNone || frame.mapping >= stacks.mappings.size();
  };
  const auto has_none = [&](const Callsite& callsite) {
    return callsite.frame >= stacks.frames.size();
  };
  return std::ranges::any_of(stacks.frames, is_open) ||
         std::ranges::any_of(stacks.callsites, has_none);
}

}  // namespace

std::span<const SymbolLine> lines_of(const ModuleSymbols& module, const AddressSymbols& address) {
  if (address.lines == kNone) return {};
  size_t count = 1;
  while (!module.lines[address.lines + count - 1].last) ++count;
  return std::span(module.lines).subspan(address.lines, count);
}

Stacks::Stacks(std::span<const PlacedBatch> batches, DeferredArgs& args, Problems& problems,
               Store& store)
    : batches_(batches), args_(args), problems_(problems), store_(store), rows_(batches.size()) {
  for (size_t i = 0; i < batches.size(); ++i) {
    const StackTables& stacks = batches[i].batch.stacks;
    rows_[i].mappings.assign(stacks.mappings.size(), kNone);
    rows_[i].frames.assign(stacks.frames.size(), kNone);
    rows_[i].callsites.assign(stacks.callsites.size(), kNone);
  }
  looks_up_callsites_ = std::ranges::count_if(batches, [](const PlacedBatch& batch) {
                          return !batch.batch.stacks.callsites.empty();
                        }) > 1;
  looks_up_frames_ =
      looks_up_callsites_ || std::ranges::any_of(batches, [](const PlacedBatch& batch) {
        return may_become_equal(batch.batch.stacks);
      });
}

uint32_t Stacks::callsite(uint32_t batch, uint32_t index) {
  std::vector<uint32_t>& rows = rows_[batch].callsites;
  const std::vector<Callsite>& callsites = batches_[batch].batch.stacks.callsites;
  chain_.clear();
  // Parents have smaller indexes, so this ends.
  for (uint32_t i = index; i < rows.size() && rows[i] == kNone; i = callsites[i].parent)
    chain_.push_back(i);
  for (size_t i = chain_.size(); i-- > 0;) append_callsite(batch, chain_[i]);
  return index < rows.size() ? rows[index] : kNone;
}

void Stacks::append_callsite(uint32_t batch, uint32_t index) {
  const Callsite& from = batches_[batch].batch.stacks.callsites[index];
  std::vector<uint32_t>& rows = rows_[batch].callsites;
  const Callsite key{from.parent < index ? rows[from.parent] : kNone, frame(batch, from.frame)};
  StackCallsiteTable& table = store_.stack_callsites;
  rows[index] = static_cast<uint32_t>(table.depth.size());
  if (looks_up_callsites_) {
    const auto [at, added] = callsites_.try_emplace(key, rows[index]);
    rows[index] = at->second;
    if (!added) return;
  }
  table.depth.append(key.parent == kNone ? 0 : table.depth[key.parent] + 1);
  table.parent_id.append({key.parent});
  table.frame_id.append(key.frame);
}

void Stacks::look_up_callsites() {
  if (std::exchange(looks_up_callsites_, true)) return;
  const StackCallsiteTable& table = store_.stack_callsites;
  for (uint32_t row = 0; row < table.rows(); ++row)
    callsites_.try_emplace({table.parent_id[row].row, table.frame_id[row]}, row);
}

uint32_t Stacks::frame(uint32_t batch, uint32_t index) {
  const StackTables& stacks = batches_[batch].batch.stacks;
  StackFrame key;
  if (index < stacks.frames.size()) {
    uint32_t& row = rows_[batch].frames[index];
    if (row != kNone) return row;
    key = stacks.frames[index];
  }
  key.mapping = mapping(batch, key.mapping);
  key.args = args_.set({batch, key.args});
  auto row = static_cast<uint32_t>(store_.stack_frames.name.size());
  bool added = true;
  if (looks_up_frames_) {
    const auto at = frames_.try_emplace(key, row);
    added = at.second;
    row = at.first->second;
  }
  if (added)
    append_frame(key);
  else
    look_up_callsites();
  if (index < stacks.frames.size()) rows_[batch].frames[index] = row;
  return row;
}

void Stacks::append_frame(const StackFrame& frame) {
  const SymbolLine line{frame.name, frame.source_file, frame.line, true};
  StackFrameTable& table = store_.stack_frames;
  table.name.append(frame.name);
  table.mapping.append(frame.mapping);
  table.rel_pc.append(frame.rel_pc);
  table.symbol_set_id.append({frame.has_symbol ? add_symbols({&line, 1}) : OptRow::kNull});
  table.deobfuscated_name.append({});
  table.type.append(frame.type);
  table.arg_set_id.append({frame.args});
}

uint32_t Stacks::mapping(uint32_t batch, uint32_t index) {
  const StackTables& stacks = batches_[batch].batch.stacks;
  if (index >= stacks.mappings.size()) return no_mapping();
  uint32_t& row = rows_[batch].mappings[index];
  if (row == kNone) row = add_mapping(stacks.mappings[index], batches_[batch]);
  return row;
}

// Returns the mapping of frames of which only the name is known.
uint32_t Stacks::no_mapping() {
  StackMapping none;
  none.name = store_.strings.intern("");
  return add_mapping(none, batches_.front());
}

uint32_t Stacks::add_mapping(const StackMapping& mapping, const PlacedBatch& from) {
  StackMappingTable& table = store_.stack_mappings;
  const auto [at, added] = mappings_.try_emplace(mapping, static_cast<uint32_t>(table.rows()));
  if (!added) return at->second;
  table.build_id.append(mapping.build_id ? mapping.build_id : store_.strings.intern(""));
  table.exact_offset.append(mapping.exact_offset);
  table.start_offset.append(mapping.start_offset);
  table.start.append(mapping.start);
  table.end.append(mapping.end);
  table.load_bias.append(mapping.load_bias);
  table.name.append(mapping.name);
  const auto text = [&](StringId id) { return id ? store_.strings.get(id) : std::string_view(); };
  if (text(mapping.build_id).empty() && text(mapping.name).starts_with("/data/local/tmp/"))
    problems_.count(stats::symbolization_tmp_build_id_not_found, from.machines.front().row,
                    from.file);
  return at->second;
}

uint32_t Stacks::add_symbols(std::span<const SymbolLine> lines) {
  StackSymbolTable& table = store_.stack_symbols;
  const auto set = static_cast<uint32_t>(table.rows());
  for (const SymbolLine& line : lines) {
    table.symbol_set_id.append(set);
    table.name.append(line.function);
    table.source_file.append(line.file);
    table.line_number.append({line.line});  // kNoLine is NULL
    table.inlined.append({});
  }
  return set;
}

uint32_t Stacks::method(uint32_t batch, uint32_t mapping, int64_t rel_pc) {
  const StackMapping& of = batches_[batch].batch.stacks.mappings[mapping];
  methods_.emplace(of.name, of.build_id, rel_pc);
  return this->mapping(batch, mapping);
}

void Stacks::finish() {
  for (const PlacedBatch& from : batches_)
    for (const ModuleSymbols& module : from.batch.stacks.module_symbols) add_module(from, module);
}

// Adds symbols to all frames at their address, in all mappings of the module (spec proto 6.8).
void Stacks::add_module(const PlacedBatch& from, const ModuleSymbols& module) {
  const uint32_t machine = from.machines[module.machine].row;
  std::vector<uint32_t> mappings;
  for (const auto& [mapping, row] : mappings_)
    if (mapping.name == module.path && mapping.build_id == module.build_id) mappings.push_back(row);
  if (mappings.empty())
    return problems_.count(stats::stackprofile_invalid_mapping_id, machine, from.file);
  std::ranges::sort(mappings);
  std::vector<std::pair<int64_t, uint32_t>> frames;  // of the module, by address
  StackFrameTable& table = store_.stack_frames;
  for (uint32_t row = 0; row < table.rows(); ++row)
    if (std::ranges::binary_search(mappings, table.mapping[row]))
      frames.emplace_back(table.rel_pc[row], row);
  std::ranges::sort(frames);
  for (const AddressSymbols& address : module.addresses) {
    const auto found =
        std::ranges::equal_range(frames, address.rel_pc, {}, &std::pair<int64_t, uint32_t>::first);
    if (found.empty()) {
      if (!methods_.contains({module.path, module.build_id, address.rel_pc}))
        problems_.count(stats::stackprofile_invalid_frame_id, machine, from.file);
      continue;
    }
    const std::span<const SymbolLine> lines = lines_of(module, address);
    if (lines.empty()) continue;
    const uint32_t set = add_symbols(lines);
    for (const auto& [pc, row] : found) table.symbol_set_id.at(row) = OptRow{set};
  }
}

}  // namespace tracebraid
