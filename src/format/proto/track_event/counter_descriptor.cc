#include "format/proto/track_event/counter_descriptor.h"

#include <string>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {

CounterTrack read_counter(std::string_view message, EventSink& sink) {
  using Field = field::CounterDescriptor;
  using Unit = field::CounterDescriptor_Unit;
  using Builtin = field::CounterDescriptor_BuiltinCounterType;
  CounterTrack counter;
  std::string categories;
  uint32_t unit = 0;
  StringId unit_name;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kType:
        if (fields.u32() == Builtin::kThreadTimeNs) counter.builtin = BuiltinCounter::ThreadTime;
        if (fields.u32() == Builtin::kThreadInstructionCount)
          counter.builtin = BuiltinCounter::InstructionCount;
        break;
      case Field::kCategories:
        if (!categories.empty()) categories += ',';
        categories += fields.bytes();
        break;
      case Field::kUnit:
        unit = fields.u32();
        break;
      case Field::kUnitMultiplier:
        counter.multiplier = fields.i64();
        break;
      case Field::kIsIncremental:
        counter.is_incremental = fields.flag();
        break;
      case Field::kUnitName:
        unit_name = sink.string(fields.bytes());
        break;
      case Field::kYAxisShareKey:
        counter.share_key = sink.string(fields.bytes());
        break;
      default:
        break;
    }
  }
  if (!categories.empty()) counter.categories = sink.string(categories);
  if (unit == 0 && counter.builtin == BuiltinCounter::ThreadTime) unit = Unit::kTimeNs;
  if (unit == 0 && counter.builtin == BuiltinCounter::InstructionCount) unit = Unit::kCount;
  if (unit == Unit::kTimeNs) counter.unit = sink.string("ns");
  if (unit == Unit::kCount) counter.unit = sink.string("count");
  if (unit == Unit::kSizeBytes) counter.unit = sink.string("bytes");
  if (unit == 0) counter.unit = unit_name;
  return counter;
}

}  // namespace tracebraid::proto
