#include "export/perfetto/stacks.h"

#include <ranges>

#include "base/hex.h"
#include "export/perfetto/packets.h"
#include "export/perfetto/tables.h"
#include "export/samples.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {

namespace own = proto::own;

void Stacks::name(uint32_t callsite, std::string& interned) {
  if (!callsites_.add(callsite)) return;
  protozero::pbf_writer data(interned);
  std::vector<uint64_t> frames;  // innermost first
  for (OptRow at{callsite}; at.row != OptRow::kNull;
       at = store_.stack_callsites.parent_id[at.row]) {
    const uint32_t frame = store_.stack_callsites.frame_id[at.row];
    name_frame(frame, data);
    frames.push_back(iid_of(frame));
  }
  protozero::pbf_writer stack(data, field::InternedData::kCallstacks);
  stack.add_uint64(field::Callstack::kIid, iid_of(callsite));
  for (const uint64_t frame : std::views::reverse(frames))
    stack.add_uint64(field::Callstack::kFrameIds, frame);
}

uint64_t Stacks::name_text(Named& named, uint32_t field, StringId id, std::string_view bytes,
                           protozero::pbf_writer& data) {
  if (bytes.empty()) return 0;
  if (named.add(id.row)) {
    protozero::pbf_writer entry(data, field);
    entry.add_uint64(field::InternedString::kIid, iid_of(id.row));
    entry.add_bytes(field::InternedString::kStr, bytes.data(), bytes.size());
  }
  return iid_of(id.row);
}

void Stacks::name_frame(uint32_t row, protozero::pbf_writer& data) {
  using Field = field::Frame;
  if (!frames_.add(row)) return;
  const StackFrameTable& frames = store_.stack_frames;
  name_mapping(frames.mapping[row], data);
  const StringId function = frames.name[row];
  const uint64_t function_iid = name_text(functions_, field::InternedData::kFunctionNames, function,
                                          text(store_, function), data);
  StringId path;
  int64_t line = OptInt::kNull;
  const OptRow symbol = symbol_of_frame(store_, row);  // the format has one per frame
  if (symbol.row != OptRow::kNull) {
    path = store_.stack_symbols.source_file[symbol.row];
    line = store_.stack_symbols.line_number[symbol.row].value;
  }
  const uint64_t path_iid =
      name_text(sources_, field::InternedData::kSourcePaths, path, text(store_, path), data);
  protozero::pbf_writer frame(data, field::InternedData::kFrames);
  frame.add_uint64(Field::kIid, iid_of(row));
  if (function_iid != 0) frame.add_uint64(Field::kFunctionNameId, function_iid);
  frame.add_uint64(Field::kMappingId, iid_of(frames.mapping[row]));
  frame.add_uint64(Field::kRelPc, static_cast<uint64_t>(frames.rel_pc[row]));
  if (path_iid != 0) frame.add_uint64(Field::kSourcePathIid, path_iid);
  if (line != OptInt::kNull) frame.add_uint32(Field::kLineNumber, static_cast<uint32_t>(line));
  if (symbol.row != OptRow::kNull && path_iid == 0 && line == OptInt::kNull)
    frame.add_bool(own::kField, true);
  if (frames.type[row]) add_text(frame, Field::kKindStr, text(store_, frames.type[row]));
}

void Stacks::name_mapping(uint32_t row, protozero::pbf_writer& data) {
  using Field = field::Mapping;
  if (!mappings_.add(row)) return;
  const StackMappingTable& mappings = store_.stack_mappings;
  const std::string build_id = bytes_of_hex(text(store_, mappings.build_id[row]));
  const uint64_t build_iid =
      name_text(build_ids_, field::InternedData::kBuildIds, mappings.build_id[row], build_id, data);
  // Readers put a slash before each part of a path.
  std::string_view path = text(store_, mappings.name[row]);
  if (path.starts_with('/')) path.remove_prefix(1);
  const uint64_t path_iid =
      name_text(paths_, field::InternedData::kMappingPaths, mappings.name[row], path, data);
  protozero::pbf_writer mapping(data, field::InternedData::kMappings);
  mapping.add_uint64(Field::kIid, iid_of(row));
  if (build_iid != 0) mapping.add_uint64(Field::kBuildId, build_iid);
  const auto number = [&](uint32_t to, int64_t value) {
    mapping.add_uint64(to, static_cast<uint64_t>(value));
  };
  number(Field::kStartOffset, mappings.start_offset[row]);
  number(Field::kStart, mappings.start[row]);
  number(Field::kEnd, mappings.end[row]);
  number(Field::kLoadBias, mappings.load_bias[row]);
  number(Field::kExactOffset, mappings.exact_offset[row]);
  if (path_iid != 0) mapping.add_uint64(Field::kPathStringIds, path_iid);
  if (!text(store_, mappings.name[row]).starts_with('/'))
    add_text(mapping, own::kField, text(store_, mappings.name[row]));
}

}  // namespace tracebraid::perfetto
