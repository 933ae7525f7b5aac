#include "format/proto/profile/v8_code.h"

#include <algorithm>
#include <string>

#include "base/base64.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stats.h"
#include "format/proto/sequence.h"
#include "json/text.h"
#include "json/unicode.h"

namespace tracebraid::proto {
namespace {

using Packets = field::TracePacket;

StringId v8_text(Message fields, bool is_interned, EventSink& sink) {
  const uint32_t shift = is_interned ? 1 : 0;  // InternedV8String begins with an iid
  StringId text;
  while (fields.next()) {
    if (fields.number() == field::V8String::kLatin1 + shift) {
      std::string utf8;
      for (const char c : fields.bytes()) json::append_utf8(static_cast<unsigned char>(c), utf8);
      text = sink.string(utf8);
    }
    if (fields.number() == field::V8String::kUtf16Le + shift)
      text = sink.string(json::from_utf16("\xFF\xFE" + std::string(fields.bytes())));
    if (fields.number() == field::V8String::kUtf16Be + shift)
      text = sink.string(json::from_utf16("\xFE\xFF" + std::string(fields.bytes())));
  }
  return text;
}

// Returns the name of an enum value without `prefix`; none for an unknown value.
StringId short_name(std::string_view type, std::string_view prefix, int64_t value,
                    PacketOutput& out) {
  std::string_view name = out.descriptors.enum_name(type, value);
  if (name.empty()) return {};
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return out.sink.string(name);
}

StringId base64_text(std::string_view bytes, EventSink& sink) {
  return sink.string(to_base64(bytes));
}

}  // namespace

// Field numbers of the packets; 0 is no field.
struct V8Codes::Layout {
  uint32_t packet;
  Kind kind;
  uint32_t owner = 0, name = 0, type = 0, start = 0, size = 0, native = 0;
  uint32_t bytecode = 0, offset = 0, moved_to = 0;
  std::string_view enum_type = {}, enum_prefix = {};
};

const V8Codes::Layout V8Codes::kLayouts[] = {
    {.packet = Packets::kV8JsCode,
     .kind = Kind::Js,
     .owner = field::V8JsCode::kV8JsFunctionIid,
     .type = field::V8JsCode::kTier,
     .start = field::V8JsCode::kInstructionStart,
     .size = field::V8JsCode::kInstructionSizeBytes,
     .native = field::V8JsCode::kMachineCode,
     .bytecode = field::V8JsCode::kBytecode,
     .enum_type = "perfetto.protos.V8JsCode.Tier",
     .enum_prefix = "TIER_"},
    {.packet = Packets::kV8InternalCode,
     .kind = Kind::Internal,
     .name = field::V8InternalCode::kName,
     .type = field::V8InternalCode::kType,
     .start = field::V8InternalCode::kInstructionStart,
     .size = field::V8InternalCode::kInstructionSizeBytes,
     .native = field::V8InternalCode::kMachineCode,
     .enum_type = "perfetto.protos.V8InternalCode.Type",
     .enum_prefix = "TYPE_"},
    {.packet = Packets::kV8WasmCode,
     .kind = Kind::Wasm,
     .owner = field::V8WasmCode::kV8WasmScriptIid,
     .name = field::V8WasmCode::kFunctionName,
     .type = field::V8WasmCode::kTier,
     .start = field::V8WasmCode::kInstructionStart,
     .size = field::V8WasmCode::kInstructionSizeBytes,
     .native = field::V8WasmCode::kMachineCode,
     .offset = field::V8WasmCode::kCodeOffsetInModule,
     .enum_type = "perfetto.protos.V8WasmCode.Tier",
     .enum_prefix = "TIER_"},
    {.packet = Packets::kV8RegExpCode,
     .kind = Kind::RegExp,
     .name = field::V8RegExpCode::kPattern,
     .start = field::V8RegExpCode::kInstructionStart,
     .size = field::V8RegExpCode::kInstructionSizeBytes,
     .native = field::V8RegExpCode::kMachineCode},
    {.packet = Packets::kV8CodeMove,
     .kind = Kind::Move,
     .start = field::V8CodeMove::kFromInstructionStartAddress,
     .size = field::V8CodeMove::kInstructionSizeBytes,
     .moved_to = field::V8CodeMove::kToInstructionStartAddress},
};

std::optional<uint32_t> V8Codes::isolate(const PacketInfo& packet, uint64_t iid,
                                         PacketOutput& out) {
  using Field = field::InternedV8Isolate;
  using Range = field::InternedV8Isolate_CodeRange;
  const std::string* message = packet.sequence->find_message(field::InternedData::kV8Isolate, iid);
  if (message == nullptr) {
    out.count(stats::v8_intern_errors, packet);
    return std::nullopt;
  }
  Isolate made{.machine = packet.machine};
  for (Message fields(*message); fields.next();) {
    if (fields.number() == Field::kPid) made.pid = fields.u32();
    if (fields.number() == Field::kIsolateId) made.id = fields.i32();
    if (fields.number() == Field::kEmbeddedBlobCodeStartAddress) made.blob.begin = fields.u64();
    if (fields.number() == Field::kEmbeddedBlobCodeSize) made.blob.size = fields.u64();
    if (fields.number() != Field::kCodeRange) continue;
    made.has_code = true;
    for (Message range = fields.message(); range.next();) {
      if (range.number() == Range::kBaseAddress) made.code.begin = range.u64();
      if (range.number() == Range::kSize) made.code.size = range.u64();
      if (range.number() == Range::kEmbeddedBlobCodeCopyStartAddress) made.blob_copy = range.u64();
      if (range.number() == Range::kIsProcessWide) made.is_process_wide = range.flag();
    }
  }
  made.has_blob = made.blob.size > 0;
  const auto [at, is_new] = isolate_ids_.try_emplace({made.machine, made.pid, made.id},
                                                     static_cast<uint32_t>(isolates_.size()));
  if (is_new) {
    if (!made.has_code) out.count(stats::v8_isolate_has_no_code_range, packet);
    isolates_.push_back(made);
  }
  return at->second;
}

std::optional<uint32_t> V8Codes::script(const PacketInfo& packet, uint32_t isolate, uint64_t iid,
                                        bool is_wasm, PacketOutput& out) {
  using Js = field::InternedV8JsScript;
  using Wasm = field::InternedV8WasmScript;
  using Interned = field::InternedData;
  const std::string* message =
      packet.sequence->find_message(is_wasm ? Interned::kV8WasmScript : Interned::kV8JsScript, iid);
  if (message == nullptr) {
    out.count(stats::v8_intern_errors, packet);
    return std::nullopt;
  }
  Script made{.is_wasm = is_wasm, .isolate = isolate};
  int64_t type = 0;
  for (Message fields(*message); fields.next();) {
    if (fields.number() == Js::kScriptId) made.id = fields.i32();
    if (is_wasm) {
      if (fields.number() == Wasm::kUrl) made.name = out.sink.string(fields.bytes());
      if (fields.number() == Wasm::kWireBytes) made.source = base64_text(fields.bytes(), out.sink);
      continue;
    }
    if (fields.number() == Js::kType) type = fields.i32();
    if (fields.number() == Js::kName) made.name = v8_text(fields.message(), false, out.sink);
    if (fields.number() == Js::kSource) made.source = v8_text(fields.message(), false, out.sink);
  }
  if (!is_wasm)
    made.type = short_name("perfetto.protos.InternedV8JsScript.Type", "TYPE_", type, out);
  const auto [at, is_new] =
      script_ids_.try_emplace({isolate, made.id, is_wasm}, static_cast<uint32_t>(scripts_.size()));
  if (is_new) scripts_.push_back(made);
  return at->second;
}

std::optional<uint32_t> V8Codes::function(const PacketInfo& packet, uint32_t isolate, uint64_t iid,
                                          PacketOutput& out) {
  using Field = field::InternedV8JsFunction;
  using Interned = field::InternedData;
  const Sequence& sequence = *packet.sequence;
  const std::string* message = sequence.find_message(Interned::kV8JsFunction, iid);
  if (message == nullptr) {
    out.count(stats::v8_intern_errors, packet);
    return std::nullopt;
  }
  Function made;
  uint64_t name = 0, script_iid = 0;
  int64_t kind = 0;
  for (Message fields(*message); fields.next();) {
    if (fields.number() == Field::kV8JsFunctionNameIid) name = fields.u64();
    if (fields.number() == Field::kV8JsScriptIid) script_iid = fields.u64();
    if (fields.number() == Field::kIsToplevel) made.is_toplevel = fields.flag();
    if (fields.number() == Field::kKind) kind = fields.i32();
    if (fields.number() == Field::kLine) made.line = fields.u32();
    if (fields.number() == Field::kColumn) made.column = fields.u32();
  }
  const std::optional<uint32_t> script = this->script(packet, isolate, script_iid, false, out);
  const std::string* text = sequence.find_message(Interned::kV8JsFunctionName, name);
  if (!script || text == nullptr) {
    if (script) out.count(stats::v8_intern_errors, packet);
    return std::nullopt;
  }
  made.script = *script;
  made.name = v8_text(Message(*text), true, out.sink);
  made.kind = short_name("perfetto.protos.InternedV8JsFunction.Kind", "KIND_", kind, out);
  const auto [at, is_new] = function_ids_.try_emplace(
      {made.script, made.name, made.kind, made.is_toplevel, made.line, made.column},
      static_cast<uint32_t>(functions_.size()));
  if (is_new) functions_.push_back(made);
  return at->second;
}

bool V8Codes::find_owner(const PacketInfo& packet, uint64_t iid, Code& code, PacketOutput& out) {
  std::optional<uint32_t> owner;
  if (code.kind == Kind::Js) owner = function(packet, code.isolate, iid, out);
  if (code.kind == Kind::Wasm) owner = script(packet, code.isolate, iid, true, out);
  if (!owner) return code.kind != Kind::Js && code.kind != Kind::Wasm;
  code.owner = *owner;
  if (code.kind == Kind::Js) code.name = functions_[*owner].name;
  return true;
}

bool V8Codes::read(const PacketInfo& packet, uint32_t field, std::string_view message,
                   PacketOutput& out) {
  const auto* const known = std::ranges::find(kLayouts, field, &Layout::packet);
  if (known == std::end(kLayouts)) return false;
  Code code{.time = packet.time, .kind = known->kind};
  const Fields fields = read_fields(*known, message, code, out.sink);
  const std::optional<uint32_t> isolate = this->isolate(packet, fields.isolate, out);
  if (!isolate) return true;
  code.isolate = *isolate;
  const std::optional<int64_t> tid = fields.tid ? fields.tid : packet.sequence->defaults.v8_tid;
  if (!tid) {
    out.count(stats::v8_no_defaults, packet);
    return true;
  }
  code.tid = *tid;
  if (!find_owner(packet, fields.owner, code, out)) return true;
  if (!known->enum_type.empty()) {
    code.tier = short_name(known->enum_type, known->enum_prefix, fields.type, out);
    if (!code.tier) {
      out.count(stats::v8_unknown_code_type, packet);
      code.tier = out.sink.string("UNKNOWN");
    }
  }
  // Bytecode is run by code that all functions share.
  const bool is_bytecode = code.kind == Kind::Js && fields.type == field::V8JsCode_Tier::kIgnition;
  if (!cache_of(code) && !is_bytecode)
    out.count(
        code.range.size == 0 ? stats::v8_code_load_missing_code_range : stats::v8_no_code_range,
        packet);
  else
    codes_.push_back(code);
  return true;
}

V8Codes::Fields V8Codes::read_fields(const Layout& layout, std::string_view message, Code& code,
                                     EventSink& sink) {
  Fields all;
  std::optional<uint64_t> native_size;
  for (Message fields(message); fields.next();) {
    const uint32_t number = fields.number();
    if (number == field::V8JsCode::kV8IsolateIid) all.isolate = fields.u64();
    if (number == field::V8JsCode::kTid) all.tid = fields.u32();
    if (number == layout.owner) all.owner = fields.u64();
    if (number == layout.type) all.type = fields.i32();
    if (number == layout.start) code.range.begin = fields.u64();
    if (number == layout.size) code.range.size = fields.u64();
    if (number == layout.moved_to) code.moved_to = fields.u64();
    if (number == layout.offset) code.offset_in_module = fields.i32();
    if (number == layout.bytecode) code.bytecode = base64_text(fields.bytes(), sink);
    if (number == layout.name)
      code.name = code.kind == Kind::RegExp ? v8_text(fields.message(), false, sink)
                                            : sink.string(fields.bytes());
    if (number == layout.native) {
      code.native = base64_text(fields.bytes(), sink);
      native_size = fields.bytes().size();
    }
  }
  if (native_size) code.range.size = *native_size;
  return all;
}

}  // namespace tracebraid::proto
