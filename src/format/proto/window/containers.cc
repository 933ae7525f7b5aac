#include "format/proto/window/containers.h"

#include <fmt/format.h>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

using Container = field::WindowContainerProto;
using Child = field::WindowContainerChildProto;

// Limit of the depth of the tree; that of real devices is below 40.
constexpr int kMaxDepth = 256;

// Return the value of a field; the default without one.
std::string_view bytes_in(std::string_view message, uint32_t number) {
  const std::optional<Message> field = find_field(message, number);
  return field ? field->bytes() : std::string_view();
}
int32_t number_in(std::string_view message, uint32_t number) {
  const std::optional<Message> field = find_field(message, number);
  return field ? field->i32() : 0;
}
bool flag_in(std::string_view message, uint32_t number) {
  const std::optional<Message> field = find_field(message, number);
  return field && field->flag();
}

// The transform of all rectangles of the window manager. Users of these rows expect dsdy = 0.
constexpr Matrix kTransform{.dtdy = 1, .dsdy = 0};

class Walk {
 public:
  bool add_root(std::string_view root) {
    const std::string_view container =
        bytes_in(root, field::RootWindowContainerProto::kWindowContainer);
    WindowContainer made{.message = root, .type = "RootWindowContainer"};
    if (!identify(container, made, Title::Needed)) return false;
    const int32_t token = made.token;
    all_.push_back(std::move(made));
    return add_children(container, token, 0);
  }
  std::vector<WindowContainer> take() { return std::move(all_); }

 private:
  enum class Title : uint8_t { Needed, Optional };

  // Sets token, title and visibility of a WindowContainerProto. Returns false without a token.
  static bool identify(std::string_view container, WindowContainer& made, Title title) {
    const std::string_view identifier = bytes_in(container, Container::kIdentifier);
    const std::optional<Message> token = find_field(identifier, field::IdentifierProto::kHashCode);
    const std::optional<Message> name = find_field(identifier, field::IdentifierProto::kTitle);
    if (!token || (!name && title == Title::Needed)) return false;
    made.token = token->i32();
    if (name) made.title = name->bytes();
    made.is_visible = flag_in(container, Container::kVisible);
    return true;
  }

  bool add_children(std::string_view container, int32_t parent, int depth) {
    if (depth > kMaxDepth) return false;
    int64_t index = 0;
    for (Message fields(container); fields.next();)
      if (fields.number() == Container::kChildren &&
          !add_child(fields.bytes(), parent, index++, depth + 1))
        return false;
    return true;
  }

  bool add_child(std::string_view child, int32_t parent, int64_t index, int depth) {
    Message fields(child);
    bool has_container = false;
    while (!has_container && fields.next()) has_container = is_container(fields.number());
    if (!has_container) return false;
    WindowContainer made{.message = child, .parent = parent, .index = index};
    std::string_view inner;  // the WindowContainerProto with the children
    if (!describe(fields, made, inner)) return false;
    const int32_t token = made.token;
    all_.push_back(std::move(made));
    return add_children(inner, token, depth);
  }

  static bool is_container(uint32_t field) {
    return field >= Child::kWindowContainer && field <= Child::kTaskFragment;
  }

  // Describes the container that a field of a WindowContainerChildProto holds. Returns false for
  // another field, and for a container without identification.
  bool describe(const Message& field, WindowContainer& made, std::string_view& inner) {
    const std::string_view message = field.bytes();
    switch (field.number()) {
      case Child::kWindowContainer:
        made.type = "WindowContainer";
        inner = message;
        return identify(inner, made, Title::Needed);
      case Child::kDisplayContent:
        return describe_display(message, made, inner);
      case Child::kDisplayArea:
        made.type = "DisplayArea";
        inner = bytes_in(message, field::DisplayAreaProto::kWindowContainer);
        if (!identify(inner, made, Title::Optional)) return false;
        made.title = bytes_in(message, field::DisplayAreaProto::kName);
        return true;
      case Child::kTask:
        return describe_task(message, made, inner);
      case Child::kActivity:
        return describe_activity(message, made, inner);
      case Child::kWindowToken:
        return describe_token(message, made, inner);
      case Child::kWindow:
        return describe_window(message, made, inner);
      case Child::kTaskFragment:
        made.type = "TaskFragment";
        inner = bytes_in(message, field::TaskFragmentProto::kWindowContainer);
        return identify(inner, made, Title::Optional);
      default:
        return false;
    }
  }

  bool describe_display(std::string_view message, WindowContainer& made, std::string_view& inner) {
    using Field = field::DisplayContentProto;
    made.type = "DisplayContent";
    inner = bytes_in(bytes_in(message, Field::kRootDisplayArea),
                     field::DisplayAreaProto::kWindowContainer);
    if (!identify(inner, made, Title::Optional)) return false;
    const std::string_view info = bytes_in(message, Field::kDisplayInfo);
    made.title = bytes_in(info, field::DisplayInfoProto::kName);
    display_ = number_in(message, Field::kId);
    window_depth_ = 1;
    Rect rect;
    rect.w = number_in(info, field::DisplayInfoProto::kLogicalWidth);
    rect.h = number_in(info, field::DisplayInfoProto::kLogicalHeight);
    made.rect = TraceRect{.rect = rect, .matrix = kTransform, .group = display_};
    return true;
  }

  static bool describe_task(std::string_view message, WindowContainer& made,
                            std::string_view& inner) {
    using Field = field::TaskProto;
    made.type = "Task";
    const std::string_view own = bytes_in(message, Field::kWindowContainer);
    const std::optional<Message> of_fragment = find_field(
        bytes_in(message, Field::kTaskFragment), field::TaskFragmentProto::kWindowContainer);
    if (!identify(of_fragment ? of_fragment->bytes() : own, made, Title::Optional)) return false;
    const bool has_children = of_fragment && find_field(of_fragment->bytes(), Container::kChildren);
    inner = has_children ? of_fragment->bytes() : own;
    const std::string_view name = bytes_in(message, Field::kTaskName);
    made.name_override = fmt::format("{}", number_in(message, Field::kId));
    if (!name.empty()) *made.name_override += fmt::format("({})", name);
    return true;
  }

  static bool describe_activity(std::string_view message, WindowContainer& made,
                                std::string_view& inner) {
    using Field = field::ActivityRecordProto;
    made.type = "Activity";
    const std::string_view token = bytes_in(message, Field::kWindowToken);
    const std::optional<Message> code = find_field(token, field::WindowTokenProto::kHashCode);
    if (!code) return false;
    made.token = code->i32();
    made.title = bytes_in(message, Field::kName);
    made.is_visible = flag_in(message, Field::kVisible);
    inner = bytes_in(token, field::WindowTokenProto::kWindowContainer);
    return true;
  }

  static bool describe_token(std::string_view message, WindowContainer& made,
                             std::string_view& inner) {
    using Field = field::WindowTokenProto;
    made.type = "WindowToken";
    const std::optional<Message> code = find_field(message, Field::kHashCode);
    if (!code) return false;
    made.token = code->i32();
    made.title = fmt::format("{:#x}", code->u32());
    inner = bytes_in(message, Field::kWindowContainer);
    made.is_visible = flag_in(inner, Container::kVisible);
    return true;
  }

  bool describe_window(std::string_view message, WindowContainer& made, std::string_view& inner) {
    using Field = field::WindowStateProto;
    made.type = "WindowState";
    inner = bytes_in(message, Field::kWindowContainer);
    if (!identify(inner, made, Title::Optional)) return false;
    made.is_visible = flag_in(message, Field::kIsVisible);
    for (const std::string_view prefix : {"Starting ", "Waiting For Debugger: "})
      if (made.title.starts_with(prefix)) made.name_override = made.title.substr(prefix.size());
    const std::optional<Message> frame =
        find_field(bytes_in(message, Field::kWindowFrames), field::WindowFramesProto::kFrame);
    if (!frame) return true;
    const std::optional<Message> alpha =
        find_field(bytes_in(message, Field::kAttributes), field::WindowLayoutParamsProto::kAlpha);
    made.rect = TraceRect{.rect = read_rect(frame->bytes()),
                          .matrix = kTransform,
                          .group = display_,
                          .depth = window_depth_++,
                          .is_visible = made.is_visible,
                          .opacity = alpha ? alpha->real() : 0};
    return true;
  }

  std::vector<WindowContainer> all_;
  int64_t display_ = 0, window_depth_ = 1;
};

}  // namespace

std::optional<std::vector<WindowContainer>> window_containers(std::string_view service) {
  Walk walk;
  if (!walk.add_root(bytes_in(service, field::WindowManagerServiceDumpProto::kRootWindowContainer)))
    return std::nullopt;
  return walk.take();
}

}  // namespace tracebraid::proto
