#include "format/proto/profile/symbols.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/hex.h"
#include "event/event_kind.h"
#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/profile/stats.h"

namespace tracebraid::proto {
namespace {

AddressSymbols read_address(Message fields, ModuleSymbols& module, EventSink& sink) {
  using Field = field::Line;
  AddressSymbols address;
  const size_t first = module.lines.size();
  while (fields.next()) {
    if (fields.number() == field::AddressSymbols::kAddress) address.rel_pc = fields.i64();
    if (fields.number() != field::AddressSymbols::kLines) continue;
    SymbolLine line;
    for (Message of = fields.message(); of.next();) {
      if (of.number() == Field::kFunctionName) line.function = sink.string(of.bytes());
      if (of.number() == Field::kSourceFileName) line.file = sink.string(of.bytes());
      if (of.number() == Field::kLineNumber) line.line = of.u32();
    }
    module.lines.push_back(line);
  }
  if (module.lines.size() > first) {
    module.lines.back().last = true;
    address.lines = static_cast<uint32_t>(first);
  }
  return address;
}

// The obfuscated name of a class, and its own.
struct ClassNames {
  std::string obfuscated, name;
};

// Returns the names of a field or method, qualified by its class; nothing if one is missing.
std::optional<Deobfuscation> read_member(Message fields, const ClassNames& of, EventSink& sink) {
  using Field = field::ObfuscatedMember;
  Deobfuscation member;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kObfuscatedName:
        member.obfuscated = sink.string(of.obfuscated + '.' + std::string(fields.bytes()));
        break;
      case Field::kDeobfuscatedName: {
        // The member may have the name of another class itself.
        std::string name(fields.bytes());
        if (name.empty()) return std::nullopt;
        if (name.find('.') == std::string::npos) name = of.name + '.' + name;
        member.name = sink.string(name);
        break;
      }
      case Field::kObfuscatedLineStart:
        member.line_start = fields.u32();
        break;
      case Field::kObfuscatedLineEnd:
        member.line_end = fields.u32();
        break;
      case Field::kSourceLineStart:
        member.source_line = fields.u32();
        break;
      default:
        break;
    }
  }
  return member.obfuscated && member.name ? std::optional(member) : std::nullopt;
}

// `mapping` has the data that all names share.
void read_class(Message message, const Deobfuscation& mapping, EventSink& sink) {
  using Field = field::ObfuscatedClass;
  ClassNames names;
  for (Message fields = message; fields.next();) {
    if (fields.number() == Field::kObfuscatedName) names.obfuscated = fields.bytes();
    if (fields.number() == Field::kDeobfuscatedName) names.name = fields.bytes();
  }
  std::vector<Deobfuscation>& all = sink.batch().stacks.deobfuscations;
  const auto add = [&](Deobfuscation entry, Deobfuscation::Kind kind) {
    entry.package = mapping.package;
    entry.version_code = mapping.version_code;
    entry.kind = kind;
    all.push_back(entry);
  };
  if (!names.obfuscated.empty() && !names.name.empty())
    add({.obfuscated = sink.string(names.obfuscated), .name = sink.string(names.name)},
        Deobfuscation::Kind::Class);
  while (message.next()) {
    const bool is_method = message.number() == Field::kObfuscatedMethods;
    if (!is_method && message.number() != Field::kObfuscatedMembers) continue;
    if (const auto member = read_member(message.message(), names, sink))
      add(*member, is_method ? Deobfuscation::Kind::Method : Deobfuscation::Kind::Field);
  }
}

struct SmapsNumber {
  uint32_t field;
  std::string_view column;
};
using Entry = field::SmapsEntry;
constexpr SmapsNumber kNumbers[] = {
    {Entry::kSizeKb, "size_kb"},
    {Entry::kPrivateDirtyKb, "private_dirty_kb"},
    {Entry::kSwapKb, "swap_kb"},
    {Entry::kStartAddress, "start_address"},
    {Entry::kModuleTimestamp, "module_timestamp"},
    {Entry::kProtectionFlags, "protection_flags"},
    {Entry::kPrivateCleanResidentKb, "private_clean_resident_kb"},
    {Entry::kSharedDirtyResidentKb, "shared_dirty_resident_kb"},
    {Entry::kSharedCleanResidentKb, "shared_clean_resident_kb"},
    {Entry::kLockedKb, "locked_kb"},
    {Entry::kProportionalResidentKb, "proportional_resident_kb"},
};
constexpr SmapsNumber kTexts[] = {
    {Entry::kFileName, "file_name"},
    {Entry::kModuleDebugid, "module_debugid"},
    {Entry::kModuleDebugPath, "module_debug_path"},
};
using Packed = field::PackedSmaps;
constexpr SmapsNumber kPackedNumbers[] = {
    {Packed::kAggregateCount, "aggregate_count"},
    {Packed::kSizeKb, "size_kb"},
    {Packed::kRssKb, "rss_kb"},
    {Packed::kAnonymousKb, "anonymous_kb"},
    {Packed::kSwapKb, "swap_kb"},
    {Packed::kSharedCleanKb, "shared_clean_resident_kb"},
    {Packed::kSharedDirtyKb, "shared_dirty_resident_kb"},
    {Packed::kPrivateCleanKb, "private_clean_resident_kb"},
    {Packed::kPrivateDirtyKb, "private_dirty_kb"},
    {Packed::kLockedKb, "locked_kb"},
    {Packed::kPssKb, "proportional_resident_kb"},
    {Packed::kPssDirtyKb, "pss_dirty_kb"},
    {Packed::kSwapPssKb, "swap_pss_kb"},
};

void add_path(RowWriter& row, std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  const bool is_deleted = path.ends_with(kDeleted);
  row.text("path", path);
  row.text("path_trimmed", is_deleted ? path.substr(0, path.size() - kDeleted.size()) : path);
  row.integer("is_deleted", is_deleted ? 1 : 0);
}

void write_entry(const PacketInfo& packet, Message entry, uint32_t process, PacketOutput& out) {
  RowWriter row(out.sink, "profiler_smaps");
  row.process("upid", process).integer("aggregate_count", 1);
  while (entry.next()) {
    if (entry.number() == Entry::kPath) add_path(row, entry.bytes());
    for (const SmapsNumber& number : kNumbers)
      if (entry.number() == number.field) row.integer(number.column, entry.i64());
    for (const SmapsNumber& text : kTexts)
      if (entry.number() == text.field) row.text(text.column, entry.bytes());
  }
  out.sink.event(row.finish(packet.time));
}

// Reads columns instead of entries.
void write_packed(const PacketInfo& packet, Message packed, uint32_t process, PacketOutput& out) {
  std::vector<std::string_view> names;
  std::vector<uint64_t> name_ids;
  std::vector<uint64_t> columns[std::size(kPackedNumbers)];
  while (packed.next()) {
    if (packed.number() == Packed::kStringTable) names.push_back(packed.bytes());
    const auto take = [&](std::vector<uint64_t>& to) {
      for_each_varint(packed, [&](uint64_t value) { to.push_back(value); });
    };
    if (packed.number() == Packed::kNameId) take(name_ids);
    for (size_t i = 0; i < std::size(kPackedNumbers); ++i)
      if (packed.number() == kPackedNumbers[i].field) take(columns[i]);
  }
  for (size_t at = 0; at < name_ids.size(); ++at) {
    RowWriter row(out.sink, "profiler_smaps");
    row.process("upid", process);
    add_path(row, name_ids[at] < names.size() ? names[name_ids[at]] : "");
    for (size_t i = 0; i < std::size(kPackedNumbers); ++i)
      if (at < columns[i].size())
        row.integer(kPackedNumbers[i].column, static_cast<int64_t>(columns[i][at]));
    out.sink.event(row.finish(packet.time));
  }
}

}  // namespace

void read_module_symbols(const PacketInfo& packet, std::string_view message, EventSink& sink) {
  using Field = field::ModuleSymbols;
  ModuleSymbols module;
  module.machine = packet.machine;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kPath) module.path = sink.string(fields.bytes());
    if (fields.number() == Field::kBuildId) module.build_id = sink.string(hex_of(fields.bytes()));
    if (fields.number() == Field::kAddressSymbols)
      module.addresses.push_back(read_address(fields.message(), module, sink));
  }
  if (!module.path) module.path = sink.string("");
  if (!module.build_id) module.build_id = sink.string("");
  sink.batch().stacks.module_symbols.push_back(std::move(module));
}

void read_deobfuscation(std::string_view message, EventSink& sink) {
  using Field = field::DeobfuscationMapping;
  Deobfuscation mapping;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kPackageName) mapping.package = sink.string(fields.bytes());
    if (fields.number() == Field::kVersionCode) mapping.version_code = fields.i64();
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kObfuscatedClasses) read_class(fields.message(), mapping, sink);
}

void read_smaps(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  using Field = field::SmapsPacket;
  uint32_t process = kNone;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kPid) process = out.process(packet, fields.u32());
  if (process == kNone) return out.count(stats::smaps_parser_errors, packet);
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kEntries) write_entry(packet, fields.message(), process, out);
    if (fields.number() == Field::kPackedEntries)
      write_packed(packet, fields.message(), process, out);
  }
}

}  // namespace tracebraid::proto
