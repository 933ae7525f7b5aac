#include "format/proto/profile/symbols.h"

#include <algorithm>
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

// The names of a field or method, qualified by its class.
struct Renamed {
  std::string obfuscated, name;
};
Renamed read_member(Message fields, const std::string& obfuscated_class,
                    const std::string& class_name) {
  Renamed member;
  while (fields.next()) {
    if (fields.number() == field::ObfuscatedMember::kObfuscatedName)
      member.obfuscated = obfuscated_class + '.' + std::string(fields.bytes());
    if (fields.number() == field::ObfuscatedMember::kDeobfuscatedName) {
      // The member may have the name of another class itself.
      const std::string_view name = fields.bytes();
      member.name = name.find('.') == std::string_view::npos ? class_name + '.' + std::string(name)
                                                             : std::string(name);
    }
  }
  return member;
}

void read_class(Message fields, StringId package, EventSink& sink) {
  using Field = field::ObfuscatedClass;
  std::string obfuscated, name;
  std::vector<Message> members;
  while (fields.next()) {
    if (fields.number() == Field::kObfuscatedName) obfuscated = fields.bytes();
    if (fields.number() == Field::kDeobfuscatedName) name = fields.bytes();
    if (fields.number() == Field::kObfuscatedMembers ||
        fields.number() == Field::kObfuscatedMethods)
      members.push_back(fields.message());
  }
  std::vector<Deobfuscation>& all = sink.batch().stacks.deobfuscations;
  const auto add = [&](const std::string& from, const std::string& to) {
    if (!from.empty() && !to.empty()) all.push_back({package, sink.string(from), sink.string(to)});
  };
  add(obfuscated, name);
  for (const Message& member : members) {
    const Renamed renamed = read_member(member, obfuscated, name);
    add(renamed.obfuscated, renamed.name);
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
  StringId package;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kPackageName) package = sink.string(fields.bytes());
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kObfuscatedClasses) read_class(fields.message(), package, sink);
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
