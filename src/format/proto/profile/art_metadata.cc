#include "format/proto/profile/art_metadata.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "event/emit.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kMapping = "art_process_metadata";

// Returns the qualified name of a method: "int org.Leaf.grow(int, long)" is org.Leaf.grow.
std::string_view method_name(std::string_view text) {
  text = text.substr(0, text.find('('));
  const size_t blank = text.rfind(' ');
  return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

// Returns a frame; nothing if it has no method.
std::optional<StackFrame> read_frame(Message fields, EventSink& sink) {
  using Field = field::JavaFrame;
  StackFrame frame;
  frame.has_symbol = true;
  std::optional<std::string_view> method;
  while (fields.next()) {
    if (fields.number() == Field::kMethodName) method = fields.bytes();
    if (fields.number() == Field::kSourceFile) frame.source_file = sink.string(fields.bytes());
    if (fields.number() == Field::kLineNumber) frame.line = fields.i32();
  }
  if (!method) return std::nullopt;
  frame.name = sink.string(method_name(*method));
  frame.mapping = sink.mapping({.name = sink.string(kMapping)});
  return frame;
}

uint32_t read_stack(Message stack, EventSink& sink) {
  std::vector<StackFrame> frames;  // the leaf is the first
  while (stack.next())
    if (stack.number() == field::JavaStack::kFrames)
      if (const auto frame = read_frame(stack.message(), sink)) frames.push_back(*frame);
  uint32_t callsite = kNone;
  for (size_t i = frames.size(); i-- > 0;)
    callsite = sink.callsite(callsite, sink.frame(frames[i]));
  return callsite;
}

}  // namespace

void read_art_metadata(const PacketInfo& packet, std::string_view message, PackageState& packages,
                       PacketOutput& out) {
  using Field = field::ArtProcessMetadata;
  int64_t pid = 0;
  std::optional<int64_t> uid;
  std::optional<std::string_view> name, package;
  OutOfMemory state;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kPid:
        pid = fields.i32();
        break;
      case Field::kUid:
        uid = fields.i32();
        break;
      case Field::kProcessName:
        name = fields.bytes();
        break;
      case Field::kPackageName:
        package = fields.bytes();
        break;
      case Field::kOomAllocationSize:
        state.is_out_of_memory = true;
        state.allocation_size = fields.i64();
        break;
      case Field::kOomTotalBytesFree:
        state.total_free = fields.i64();
        break;
      case Field::kOomFreeBytesUntilOom:
        state.free_until = fields.i64();
        break;
      case Field::kOomErrorMsg:
        state.error = out.sink.string(fields.bytes());
        break;
      case Field::kOomThreadJavaStack:
        state.has_stack = true;
        state.callsite = read_stack(fields.message(), out.sink);
        break;
      default:
        break;
    }
  }
  const uint32_t process = out.process(packet, pid);
  state.thread = out.sink.thread({.machine = packet.machine, .tid = pid, .pid = pid});
  out.sink.event(make_thread_seen(packet.time, state.thread));
  if (name)
    out.sink.event(make_process_name(packet.time, process, out.sink.string(*name),
                                     process_priority::kDescriptor));
  if (uid) out.sink.event(make_process_uid(packet.time, process, *uid));
  if (package && uid) add_package_of_process(packet, *package, *uid, packages, out);
  out.sink.event(make_out_of_memory(packet.time, process,
                                    append_record(out.sink.batch().stacks.out_of_memory, state)));
}

}  // namespace tracebraid::proto
