// Rows of window traces.
#include <gtest/gtest.h>

#include "event/event_kind.h"
#include "format/proto/args/typed_args.h"
#include "format/proto/test_trace.h"
#include "format/proto/window/containers.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using Packet = field::TracePacket;
using Extension = field::WinscopeExtensions;
using Container = field::WindowContainerProto;

// The cells of the rows of a table, without the raw messages.
std::vector<std::string> rows(const Outcome& outcome, std::string_view table) {
  std::vector<std::string> found;
  for (const Event& event : outcome.events(EventKind::Row)) {
    if (outcome.text(event.name) != table) continue;
    std::string cells = outcome.args(event.args);
    if (const size_t at = cells.find("base64_proto_id="); at != std::string::npos) {
      const size_t end = std::min(cells.find(' ', at) + 1, cells.size());
      cells.erase(at, end - at);
    }
    found.push_back(cells);
  }
  return found;
}

Msg extension(uint64_t ts, uint32_t field, const Msg& message) {
  return packet(3, ts).msg(Packet::kWinscopeExtensions, Msg().msg(field, message));
}

TEST(WindowTraces, OnlyTheFirstKnownExtensionCounts) {
  const Msg both = Msg()
                       .text(99, "x")
                       .msg(Extension::kInputmethodService, Msg())
                       .msg(Extension::kInputmethodClients, Msg());
  const Outcome outcome = read_packets({packet(3, 5).msg(Packet::kWinscopeExtensions, both)});
  EXPECT_EQ(rows(outcome, "inputmethod_service").size(), 1U);
  EXPECT_TRUE(rows(outcome, "inputmethod_clients").empty());
}

TEST(WindowTraces, MalformedMessagesAreCountedOnce) {
  Msg input = Msg().text(field::AndroidInputEvent::kDispatcherKeyEvent, "\x20\x01\xff");
  const Outcome outcome = read_packets({extension(5, Extension::kAndroidInputEvent, input)});
  EXPECT_EQ(outcome.stat(stats::android_input_event_parse_errors), 1);
  ASSERT_EQ(rows(outcome, "android_key_events").size(), 1U);
}

TEST(ShellTransitions, PartsApplyInTheOrderOfTime) {
  using Field = field::ShellTransition;
  const auto part = [](uint64_t ts, const Msg& message) {
    return packet(3, ts).msg(Packet::kShellTransition, message);
  };
  const Outcome outcome = read_packets({
      part(20, Msg().num(Field::kId, 4).num(Field::kHandler, 2)),
      part(10, Msg().num(Field::kId, 4).num(Field::kHandler, 1).num(Field::kSendTimeNs, 7)),
  });
  const std::vector<std::string> made = rows(outcome, "window_manager_shell_transitions");
  ASSERT_EQ(made.size(), 1U);
  EXPECT_TRUE(made[0].ends_with("send_time_ns=7 handler=2 ts=7")) << made[0];
}

TEST(Protolog, TextsOfOneIdAreLimited) {
  using Text = field::ProtoLogViewerConfig_MessageData;
  Msg config;
  for (int i = 0; i < 1000; ++i)
    config.msg(field::ProtoLogViewerConfig::kMessages,
               Msg().fixed(Text::kMessageId, 1).text(Text::kMessage, std::to_string(i)));
  const Outcome outcome =
      read_packets({packet(3, 5).msg(Packet::kProtologViewerConfig, config),
                    packet(3, 6).msg(Packet::kProtologMessage,
                                     Msg().fixed(field::ProtoLogMessage::kMessageId, 1))});
  ASSERT_EQ(rows(outcome, "protolog").size(), 1U);
  EXPECT_LT(rows(outcome, "protolog")[0].size(), 2000U);
  EXPECT_EQ(outcome.stat(stats::winscope_protolog_message_collision), 1);
}

Msg view(uint64_t id, uint64_t parent) {
  using Field = field::ViewCapture_View;
  return Msg()
      .num(Field::kId, id)
      .num(Field::kParentId, parent)
      .num(Field::kWidth, 1)
      .num(Field::kHeight, 1);
}

TEST(ViewCapture, ViewsOfACycleHaveNoPlace) {
  Msg capture;
  for (const auto& [id, parent] : {std::pair(1, 2), std::pair(2, 1), std::pair(0, -1)})
    capture.msg(field::ViewCapture::kViews,
                view(static_cast<uint64_t>(id), static_cast<uint64_t>(parent)));
  const Outcome outcome = read_packets({extension(5, Extension::kViewcapture, capture)});
  EXPECT_EQ(rows(outcome, "viewcapture_view").size(), 3U);
  EXPECT_EQ(rows(outcome, "winscope_trace_rect").size(), 1U);
}

Msg identified(uint64_t code, std::string_view title) {
  return Msg().msg(Container::kIdentifier, Msg()
                                               .num(field::IdentifierProto::kHashCode, code)
                                               .text(field::IdentifierProto::kTitle, title));
}

std::string service(const Msg& root) {
  return Msg()
      .msg(field::WindowManagerServiceDumpProto::kRootWindowContainer,
           Msg().msg(field::RootWindowContainerProto::kWindowContainer, root))
      .bytes();
}

Msg nested(int depth) {
  Msg container = identified(1, "c");
  if (depth > 0)
    container.msg(Container::kChildren,
                  Msg().msg(field::WindowContainerChildProto::kWindowContainer, nested(depth - 1)));
  return container;
}

TEST(WindowContainers, DepthIsLimited) {
  const std::string usual = service(nested(40)), deep = service(nested(600));
  EXPECT_EQ(window_containers(usual)->size(), 41U);
  EXPECT_FALSE(window_containers(deep));
}

TEST(WindowContainers, AContainerWithoutIdentifierMakesTheSnapshotOneWithout) {
  const std::string bytes = service(identified(1, "r").msg(
      Container::kChildren, Msg().msg(field::WindowContainerChildProto::kTask, Msg())));
  EXPECT_FALSE(window_containers(bytes));
  EXPECT_FALSE(window_containers(""));
  EXPECT_TRUE(window_containers(service(identified(1, "r"))));
}

TEST(WindowContainers, AContainerThatIsCutOffMakesTheSnapshotOneWithout) {
  constexpr char kTag = static_cast<char>(field::WindowContainerChildProto::kTask << 3 | 2);
  const std::string longer_than_its_message = {kTag, 53};
  const std::string bytes =
      service(identified(1, "r").text(Container::kChildren, longer_than_its_message));
  EXPECT_FALSE(window_containers(bytes));
}

TEST(WindowManager, SnapshotsAreShownWithoutContainers) {
  const Msg entry =
      Msg().text(field::WindowManagerTraceEntry::kWindowManagerService, service(nested(3)));
  const Outcome outcome = read_packets({extension(5, Extension::kWindowmanager, entry)});
  EXPECT_EQ(rows(outcome, "windowmanager_windowcontainer").size(), 4U);
  std::string args;
  for (const Event& event : outcome.events(EventKind::Row))
    if (outcome.text(event.name) == "windowmanager") args = outcome.args(event.extra);
  EXPECT_NE(args.find("window_container.identifier.title=c"), std::string::npos);
  EXPECT_EQ(args.find("children"), std::string::npos);
}

}  // namespace
}  // namespace tracebraid::proto
