#include "format/proto/args/typed_args.h"

#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/test_trace.h"

namespace tracebraid::proto {
namespace {

// Field numbers and types of descriptor.proto.
constexpr uint32_t kInt32 = 5, kMessage = 11, kRepeated = 3, kOptional = 1;

Msg field(std::string_view name, uint32_t number, uint32_t type, uint32_t label = kOptional,
          std::string_view type_name = {}) {
  Msg m;
  m.text(1, name).num(3, number).num(4, label).num(5, type);
  if (!type_name.empty()) m.text(6, type_name);
  return m;
}

// package p; message M { <fields> } extend TrackEvent { optional M ext = 9900; }
Msg extension_packet(const std::vector<Msg>& fields) {
  Msg type;
  type.text(1, "M");
  for (const Msg& field : fields) type.msg(2, field);
  Msg extension = field("ext", 9900, kMessage, kOptional, ".p.M");
  extension.text(2, ".perfetto.protos.TrackEvent");
  const Msg file = Msg().text(2, "p").msg(4, type).msg(7, extension);
  return Msg().msg(72, Msg().msg(1, Msg().msg(1, file)));
}

Msg event_packet(const Msg& ext) {
  using Event = field::TrackEvent;
  Msg m = packet(1, 10);
  m.num(field::TracePacket::kSequenceFlags, 1);
  return std::move(m.msg(field::TracePacket::kTrackEvent,
                         Msg().num(Event::kType, 3).text(Event::kName, "a").msg(9900, ext)));
}

std::string args_of(const std::vector<Msg>& fields, const Msg& ext) {
  const Outcome outcome = read_packets({extension_packet(fields), event_packet(ext)});
  const auto events = outcome.events(EventKind::Instant);
  return events.size() == 1 ? outcome.args(events[0].args) : "no event";
}

TEST(TypedArgs, PackedAndSingleElementsAreOneArray) {
  EXPECT_EQ(args_of({field("n", 1, kInt32, kRepeated)}, Msg().packed(1, {4, 5}).num(1, 6)),
            "ext.n[0]=4 ext.n[1]=5 ext.n[2]=6");
}

TEST(TypedArgs, NegativeNumbersStayNegative) {
  EXPECT_EQ(args_of({field("n", 1, kInt32)}, Msg().num(1, ~uint64_t{0})), "ext.n=-1");
}

TEST(TypedArgs, FieldsWithoutADescriptorAreLeftOut) {
  EXPECT_EQ(args_of({field("n", 1, kInt32)}, Msg().num(7, 1).num(1, 2)), "ext.n=2");
}

TEST(TypedArgs, TypesThatContainThemselvesEndWithTheMessage) {
  EXPECT_EQ(args_of({field("m", 1, kMessage, kOptional, ".p.M"), field("n", 2, kInt32)},
                    Msg().msg(1, Msg().msg(1, Msg().num(2, 3)))),
            "ext.m.m.n=3");
}

TEST(TypedArgs, DeepNestingIsCutOff) {
  Msg deep = Msg().num(2, 3);
  for (int i = 0; i < 5000; ++i) deep = Msg().msg(1, deep);
  EXPECT_EQ(args_of({field("m", 1, kMessage, kOptional, ".p.M"), field("n", 2, kInt32)}, deep), "");
}

TEST(TypedArgs, TypesThatNobodyDescribedAreEmpty) {
  EXPECT_EQ(
      args_of({field("x", 1, kMessage, kOptional, ".p.Nowhere")}, Msg().msg(1, Msg().num(1, 1))),
      "");
}

TEST(TypedArgs, NumbersWhereThereShouldBeMessagesDoNoHarm) {
  EXPECT_EQ(args_of({field("x", 1, kMessage, kOptional, ".p.M"), field("n", 2, kInt32)},
                    Msg().num(1, 5).num(2, 6)),
            "ext.n=6");
}

TEST(TypedArgs, TheFirstDescriptionOfAFieldStays) {
  EXPECT_EQ(args_of({field("n", 1, kInt32), field("other", 1, kInt32)}, Msg().num(1, 2)),
            "ext.n=2");
}

}  // namespace
}  // namespace tracebraid::proto
