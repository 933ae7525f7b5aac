#include "format/perf/tracing_data.h"

#include <charconv>

#include "base/words.h"
#include "format/perf/bytes.h"

namespace tracebraid::perf {
namespace {

constexpr size_t kMaxFields = 512;

uint32_t number_after(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  uint32_t value = 0;
  if (at != std::string_view::npos)
    std::from_chars(text.data() + at + key.size(), text.data() + text.size(), value);
  return value;
}

// Parses "field:char prev_comm[16];       offset:8;       size:16;        signed:0;"
bool parse_field(std::string_view line, TracepointField& field) {
  constexpr std::string_view kField = "field:";
  line = trim(line);
  if (!line.starts_with(kField)) return false;
  const size_t end = line.find(';');
  if (end == std::string_view::npos) return false;
  std::string_view declaration = line.substr(kField.size(), end - kField.size());
  const std::string_view rest = line.substr(end + 1);
  field.offset = number_after(rest, "offset:");
  field.size = number_after(rest, "size:");
  field.is_signed = number_after(rest, "signed:") != 0;
  field.is_dynamic = declaration.starts_with("__data_loc");
  field.is_relative = declaration.starts_with("__rel_loc");
  bool is_array = false;
  if (const size_t bracket = declaration.find('['); bracket != std::string_view::npos) {
    // Matches "__data_loc char[] name" or "char name[16]".
    is_array = true;
    if (declaration.ends_with(']')) declaration = declaration.substr(0, bracket);
  }
  declaration = trim(declaration);
  const size_t blank = declaration.find_last_of(" \t*");
  if (blank == std::string_view::npos) return false;
  field.name = declaration.substr(blank + 1);
  const bool is_char = declaration.find("char") != std::string_view::npos;
  field.is_text = is_char && (is_array || field.is_dynamic || field.is_relative);
  return true;
}

}  // namespace

const TracepointField* Tracepoint::find(std::string_view field) const {
  for (const TracepointField& one : fields)
    if (one.name == field) return &one;
  return nullptr;
}

uint64_t parse_format(std::string_view text, Tracepoint& tracepoint) {
  uint64_t id = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("name: ")) tracepoint.name = trim(line.substr(6));
    if (line.starts_with("ID: ")) id = number_after(line, "ID: ");
    if (line.starts_with("print fmt")) break;
    TracepointField field;
    if (tracepoint.fields.size() < kMaxFields && parse_field(line, field))
      tracepoint.fields.push_back(std::move(field));
  }
  return id;
}

TracingData parse_tracing_data(std::string_view raw) {
  constexpr std::string_view kMagic("\x17\x08\x44tracing", 10);
  TracingData data;
  Bytes bytes(raw);
  if (bytes.bytes(kMagic.size()) != kMagic) return data;
  bytes.text();                  // version
  bytes.skip(1 + 1 + 4);         // byte order, size of long, size of a page
  for (int i = 0; i < 2; ++i) {  // header_page, header_event
    bytes.text();
    bytes.skip(bytes.u64());
  }
  const auto add = [&](std::string_view system, std::string_view format) {
    Tracepoint tracepoint;
    tracepoint.system = system;
    if (const uint64_t id = parse_format(format, tracepoint); id != 0)
      data.tracepoints.try_emplace(id, std::move(tracepoint));
  };
  const uint32_t ftrace_events = bytes.u32();
  for (uint32_t i = 0; i < ftrace_events && !bytes.bad(); ++i)
    add("ftrace", bytes.bytes(bytes.u64()));
  const uint32_t systems = bytes.u32();
  for (uint32_t i = 0; i < systems && !bytes.bad(); ++i) {
    const std::string_view system = bytes.text();
    const uint32_t events = bytes.u32();
    for (uint32_t n = 0; n < events && !bytes.bad(); ++n) add(system, bytes.bytes(bytes.u64()));
  }
  return data;
}

int64_t number_in(std::string_view raw, const TracepointField& field) {
  if (field.size > 8 || field.offset > raw.size() || field.size > raw.size() - field.offset)
    return 0;
  uint64_t value = 0;
  std::memcpy(&value, raw.data() + field.offset, field.size);
  const unsigned bits = field.size * 8;
  if (field.is_signed && bits > 0 && bits < 64) {
    const uint64_t sign = uint64_t{1} << (bits - 1);
    value = (value ^ sign) - sign;
  }
  return static_cast<int64_t>(value);
}

std::string_view text_in(std::string_view raw, const TracepointField& field) {
  if (!field.is_dynamic && !field.is_relative)
    return until_nul(section(raw, field.offset, field.size));
  const auto place = static_cast<uint32_t>(number_in(raw, field));
  const uint64_t base = field.is_relative ? uint64_t{field.offset} + field.size : 0;
  return until_nul(section(raw, base + (place & 0xFFFF), place >> 16));
}

}  // namespace tracebraid::perf
