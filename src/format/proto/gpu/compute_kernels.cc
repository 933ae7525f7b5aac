#include "format/proto/gpu/compute_kernels.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

// Adds an ExtraComputeArg; nothing if its name or text is missing.
void add_extra_arg(const PacketInfo& packet, Message fields, EventSink& sink) {
  using Field = field::GpuRenderStageEvent_ExtraComputeArg;
  StringId name;
  std::optional<FieldNumber> number;
  StringId text;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kNameIid: {
        const std::string* interned =
            packet.sequence->find_message(field::InternedData::kComputeArgNames, fields.u64());
        if (interned == nullptr) return;
        name = sink.string(read_intern_entry(Message(*interned)).text);
        break;
      }
      case Field::kName:
        name = sink.string(fields.bytes());
        break;
      case Field::kIntValue:
        number = {ArgType::Int, fields.i64()};
        break;
      case Field::kUintValue:
        number = {ArgType::Uint, fields.i64()};
        break;
      case Field::kDoubleValue:
        number = {ArgType::Real, bits_of(fields.real())};
        break;
      case Field::kStringValue:
        text = sink.string(fields.bytes());
        break;
      case Field::kStringValueIid: {
        const StringId* interned =
            packet.sequence->find(&InternedData::annotation_strings, fields.u64());
        if (interned == nullptr) return;
        text = *interned;
        break;
      }
      default:
        break;
    }
  }
  if (!name) return;
  const uint32_t key = named_key(name, sink);
  if (number)
    sink.arg(key, number->type, number->value);
  else if (text)
    sink.arg(key, ArgType::String, text.row);
}

void add_size(std::string_view key, Message dimensions, EventSink& sink) {
  using Field = field::GpuRenderStageEvent_Dim3;
  while (dimensions.next()) {
    const auto add = [&](char axis) {
      add_int(fmt::format("{}.{}", key, axis), dimensions.u32(), sink, ArgType::Uint);
    };
    if (dimensions.number() == Field::kX) add('x');
    if (dimensions.number() == Field::kY) add('y');
    if (dimensions.number() == Field::kZ) add('z');
  }
}

}  // namespace

void add_kernel_args(const PacketInfo& packet, uint64_t iid, EventSink& sink) {
  using Field = field::InternedComputeKernel;
  const std::string* kernel =
      packet.sequence->find_message(field::InternedData::kComputeKernels, iid);
  if (kernel == nullptr) return;
  constexpr size_t kMostArgs = 256;  // each stage repeats them; more are damage
  std::optional<std::string_view> name, demangled, arch;
  for (Message fields(*kernel); fields.next();) {
    if (fields.number() == Field::kName) name = fields.bytes();
    if (fields.number() == Field::kDemangledName) demangled = fields.bytes();
    if (fields.number() == Field::kArch) arch = fields.bytes();
  }
  if (name) add_text("kernel_name", *name, sink);
  if (demangled) add_text("kernel_demangled_name", *demangled, sink);
  if (arch) add_text("arch", *arch, sink);
  size_t args = 0;
  for (Message fields(*kernel); fields.next();)
    if (fields.number() == Field::kArgs && args++ < kMostArgs)
      add_extra_arg(packet, fields.message(), sink);
}

void add_launch_args(const PacketInfo& packet, Message launch, EventSink& sink) {
  using Field = field::GpuRenderStageEvent_ComputeKernelLaunch;
  for (Message fields = launch; fields.next();) {
    if (fields.number() == Field::kGridSize) add_size("launch.grid_size", fields.message(), sink);
    if (fields.number() == Field::kWorkgroupSize)
      add_size("launch.workgroup_size", fields.message(), sink);
  }
  for (Message fields = launch; fields.next();)
    if (fields.number() == Field::kArgs) add_extra_arg(packet, fields.message(), sink);
}

}  // namespace tracebraid::proto
