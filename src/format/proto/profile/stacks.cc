#include "format/proto/profile/stacks.h"

#include <string>

#include "base/hex.h"
#include "event/stats.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stats.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kInlineMapping = "track_event_inline";

void add_text(std::string_view message, InternTable<StringId>& table, EventSink& sink) {
  const InternEntry entry = read_intern_entry(Message(message));
  if (entry.iid != 0 && table.find(entry.iid) == nullptr)
    table.add(entry.iid, sink.string(entry.text));
}

std::string_view kind_name(uint64_t kind) {
  static constexpr std::string_view kNames[] = {"",    "native", "kernel", "interpreted",
                                                "jit", "gc",     "runtime"};
  return kind < std::size(kNames) ? kNames[kind] : "";
}

int64_t bits(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

bool InternedStacks::is_field(uint32_t field) {
  using Field = field::InternedData;
  switch (field) {
    case Field::kFunctionNames:
    case Field::kBuildIds:
    case Field::kMappingPaths:
    case Field::kSourcePaths:
    case Field::kFrames:
    case Field::kCallstacks:
    case Field::kMappings:
      return true;
    default:
      return false;
  }
}

void InternedStacks::add(uint32_t field, std::string_view message, EventSink& sink) {
  using Field = field::InternedData;
  switch (field) {
    case Field::kFunctionNames:
      add_text(message, functions_, sink);
      break;
    case Field::kBuildIds:
      add_text(message, build_ids_, sink);
      break;
    case Field::kMappingPaths:
      add_text(message, paths_, sink);
      break;
    case Field::kSourcePaths:
      add_text(message, sources_, sink);
      break;
    case Field::kFrames:
      add_frame(Message(message), sink);
      break;
    case Field::kCallstacks:
      add_callstack(Message(message));
      break;
    case Field::kMappings:
      add_mapping(Message(message), sink);
      break;
    default:
      break;
  }
}

void InternedStacks::add_string(std::string_view message, EventSink& sink) {
  for (InternTable<StringId>* table : {&functions_, &build_ids_, &paths_, &sources_})
    add_text(message, *table, sink);
}

void InternedStacks::add_frame(Message fields, EventSink& sink) {
  using Field = field::Frame;
  uint64_t iid = 0;
  FrameEntry entry;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kIid:
        iid = fields.u64();
        break;
      case Field::kFunctionNameId:
        entry.function = fields.u64();
        break;
      case Field::kMappingId:
        entry.mapping = fields.u64();
        break;
      case Field::kRelPc:
        entry.rel_pc = fields.u64();
        break;
      case Field::kSourcePathIid:
        entry.source = fields.u64();
        break;
      case Field::kLineNumber:
        entry.line = fields.u32();
        break;
      case Field::kKind:
        if (const std::string_view name = kind_name(fields.u64()); !name.empty())
          entry.type = sink.string(name);
        break;
      case Field::kKindStr:
        entry.type = sink.string(fields.bytes());
        break;
      case own::kField:
        entry.has_symbol = fields.flag();
        break;
      default:
        break;
    }
  }
  if (iid != 0) frames_.add(iid, entry);
}

void InternedStacks::add_callstack(Message fields) {
  uint64_t iid = 0;
  CallstackEntry entry;
  while (fields.next()) {
    if (fields.number() == field::Callstack::kIid) iid = fields.u64();
    if (fields.number() == field::Callstack::kFrameIds)
      for_each_varint(fields, [&](uint64_t frame) { entry.frames.push_back(frame); });
  }
  if (iid != 0) callstacks_.add(iid, std::move(entry));
}

void InternedStacks::add_mapping(Message fields, EventSink& sink) {
  using Field = field::Mapping;
  uint64_t iid = 0;
  MappingEntry entry;
  StackMapping& mapping = entry.mapping;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kIid:
        iid = fields.u64();
        break;
      case Field::kBuildId:
        entry.build_id = fields.u64();
        break;
      case Field::kStart:
        mapping.start = bits(fields.u64());
        break;
      case Field::kEnd:
        mapping.end = bits(fields.u64());
        break;
      case Field::kLoadBias:
        mapping.load_bias = bits(fields.u64());
        break;
      case Field::kStartOffset:
        mapping.start_offset = bits(fields.u64());
        break;
      case Field::kExactOffset:
        mapping.exact_offset = bits(fields.u64());
        break;
      case Field::kPathStringIds:
        for_each_varint(fields, [&](uint64_t part) { entry.path.push_back(part); });
        break;
      case own::kField:
        entry.name = sink.string(fields.bytes());
        break;
      default:
        break;
    }
  }
  if (iid != 0) mappings_.add(iid, std::move(entry));
}

// A callstack that lacks a frame is not used, because it would show calls that do not exist.
uint32_t InternedStacks::chain(const std::vector<uint64_t>& frame_iids, uint32_t machine,
                               EventSink& sink) {
  std::vector<uint32_t> frames;
  frames.reserve(frame_iids.size());
  for (const uint64_t iid : frame_iids) {
    frames.push_back(frame(iid, machine, sink));
    if (frames.back() == kNone) return kNone;
  }
  uint32_t callsite = kNone;
  for (const uint32_t index : frames) callsite = sink.callsite(callsite, index);
  return callsite;
}

std::optional<uint32_t> InternedStacks::callsite(uint64_t iid, uint32_t machine, EventSink& sink) {
  CallstackEntry* const entry = callstacks_.find(iid);
  if (entry == nullptr) return std::nullopt;
  if (!std::exchange(entry->is_used, true)) {
    entry->callsite = chain(entry->frames, machine, sink);
    if (entry->frames.empty()) sink.tally(stats::stackprofile_empty_callstack, 1, machine);
  }
  return entry->callsite;
}

uint32_t InternedStacks::frame(uint64_t iid, uint32_t machine, EventSink& sink) {
  FrameEntry* const entry = frames_.find(iid);
  if (entry == nullptr) {
    sink.tally(stats::stackprofile_invalid_frame_id, 1, machine);
    return kNone;
  }
  if (entry->frame != kNone) return entry->frame;
  StackFrame frame;
  const auto text = [&](const InternTable<StringId>& table, uint64_t text_iid, StringId& to) {
    if (text_iid == 0) return;
    if (const StringId* const known = table.find(text_iid))
      to = *known;
    else
      sink.tally(stats::stackprofile_invalid_string_id, 1, machine);
  };
  text(functions_, entry->function, frame.name);
  text(sources_, entry->source, frame.source_file);
  if (entry->mapping != 0) frame.mapping = mapping(entry->mapping, machine, sink);
  frame.rel_pc = bits(entry->rel_pc);
  frame.type = entry->type;
  frame.line = entry->line;
  frame.has_symbol = entry->has_symbol || frame.source_file || frame.line != kNoLine;
  return entry->frame = sink.frame(frame);
}

std::optional<uint32_t> InternedStacks::known_mapping(uint64_t iid, uint32_t machine,
                                                      EventSink& sink) {
  return mappings_.find(iid) == nullptr ? std::nullopt : std::optional(mapping(iid, machine, sink));
}

uint32_t InternedStacks::mapping(uint64_t iid, uint32_t machine, EventSink& sink) {
  MappingEntry* const entry = mappings_.find(iid);
  if (entry == nullptr) {
    sink.tally(stats::stackprofile_invalid_mapping_id, 1, machine);
    return kNone;
  }
  if (entry->index != kNone) return entry->index;
  const auto text_of = [&](const InternTable<StringId>& table, uint64_t text_iid) {
    const StringId* const known = table.find(text_iid);
    return known == nullptr ? std::string() : std::string(sink.batch().strings.get(*known));
  };
  std::string path;
  for (const uint64_t part : entry->path) path += '/' + text_of(paths_, part);
  if (path.starts_with("//")) path.erase(0, 1);
  entry->mapping.name = entry->name ? entry->name : sink.string(path);
  entry->mapping.build_id =
      sink.string(entry->build_id == 0 ? "" : hex_of(text_of(build_ids_, entry->build_id)));
  return entry->index = sink.mapping(entry->mapping);
}

uint32_t inline_callsite(Message callstack, EventSink& sink) {
  using Field = field::InlineCallstack_Frame;
  uint32_t callsite = kNone;
  while (callstack.next()) {
    if (callstack.number() != field::InlineCallstack::kFrames) continue;
    StackFrame frame;
    frame.has_symbol = true;
    frame.mapping = sink.mapping({.name = sink.string(kInlineMapping)});
    for (Message fields = callstack.message(); fields.next();) {
      if (fields.number() == Field::kFunctionName) frame.name = sink.string(fields.bytes());
      if (fields.number() == Field::kSourceFile) frame.source_file = sink.string(fields.bytes());
      if (fields.number() == Field::kLineNumber) frame.line = fields.u32();
    }
    callsite = sink.callsite(callsite, sink.frame(frame));
  }
  return callsite;
}

}  // namespace tracebraid::proto
