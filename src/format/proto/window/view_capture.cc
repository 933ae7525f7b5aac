#include "format/proto/window/view_capture.h"

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/message_rows.h"
#include "format/proto/window/rects.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

using Field = field::ViewCapture;
using Interned = field::InternedData;

constexpr MessageType kCapture{"com.android.internal.ViewCapture",
                               stats::winscope_viewcapture_parse_errors};
constexpr MessageType kView{"com.android.internal.ViewCapture.View",
                            stats::winscope_viewcapture_parse_errors};
constexpr std::string_view kMissing = "STRING DE-INTERNING ERROR";
constexpr int64_t kDepthOfLevel = 4;  // place in the drawing for each level of the tree

// Returns the field of InternedData for a field that is the number of a text; 0 for other fields.
uint32_t text_table(const MessageType& type, uint32_t number) {
  using View = field::ViewCapture_View;
  if (&type == &kCapture)
    return number == Field::kPackageNameIid  ? Interned::kViewcapturePackageName
           : number == Field::kWindowNameIid ? Interned::kViewcaptureWindowName
                                             : 0;
  switch (number) {
    case View::kViewIdIid:
      return Interned::kViewcaptureViewId;
    case View::kClassNameIid:
      return Interned::kViewcaptureClassName;
    case View::kContentDescriptionIid:
      return Interned::kViewcaptureContentDescription;
    case View::kTextIid:
      return Interned::kViewcaptureText;
    default:
      return 0;
  }
}

struct View {
  std::string_view message;
  int32_t id = 0, parent = 0, hashcode = 0, visibility = 0;
  Rect place;  // within its parent
  double scroll_x = 0, scroll_y = 0, translation_x = 0, translation_y = 0;
  double scale_x = 0, scale_y = 0, alpha = 0;
  // Found by the walk over the tree.
  bool is_reached = false, is_visible = false;
  int64_t level = 0;
  Rect rect;
};

View read_view(std::string_view message) {
  using Number = field::ViewCapture_View;
  View view{.message = message};
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Number::kId:
        view.id = fields.i32();
        break;
      case Number::kParentId:
        view.parent = fields.i32();
        break;
      case Number::kHashcode:
        view.hashcode = fields.i32();
        break;
      case Number::kLeft:
        view.place.x = fields.i32();
        break;
      case Number::kTop:
        view.place.y = fields.i32();
        break;
      case Number::kWidth:
        view.place.w = fields.i32();
        break;
      case Number::kHeight:
        view.place.h = fields.i32();
        break;
      case Number::kScrollX:
        view.scroll_x = fields.i32();
        break;
      case Number::kScrollY:
        view.scroll_y = fields.i32();
        break;
      case Number::kTranslationX:
        view.translation_x = fields.real();
        break;
      case Number::kTranslationY:
        view.translation_y = fields.real();
        break;
      case Number::kScaleX:
        view.scale_x = fields.real();
        break;
      case Number::kScaleY:
        view.scale_y = fields.real();
        break;
      case Number::kAlpha:
        view.alpha = fields.real();
        break;
      case Number::kVisibility:
        view.visibility = fields.i32();
        break;
      default:
        break;
    }
  }
  return view;
}

// The space of the children of a view.
struct Space {
  double x = 0, y = 0;  // origin
  double scale_x = 1, scale_y = 1;
  bool is_visible = true;
  int64_t level = 0;
};

Space place_view(View& view, const Space& outer) {
  const double scale_x = outer.scale_x * view.scale_x, scale_y = outer.scale_y * view.scale_y;
  const Rect& place = view.place;
  view.rect = {outer.x + (place.x + view.translation_x) * outer.scale_x +
                   place.w * (outer.scale_x - scale_x) / 2,
               outer.y + (place.y + view.translation_y) * outer.scale_y +
                   place.h * (outer.scale_y - scale_y) / 2,
               place.w * scale_x, place.h * scale_y};
  view.is_reached = true;
  view.level = outer.level;
  const bool is_shown = outer.is_visible && view.visibility == 0;
  view.is_visible = is_shown && place.w > 0 && place.h > 0;
  return {view.rect.x - view.scroll_x,
          view.rect.y - view.scroll_y,
          scale_x,
          scale_y,
          is_shown,
          outer.level + 1};
}

// Places the views below the one without a parent. Views that are not below it, such as those of a
// cycle, stay without a place.
void place_views(std::vector<View>& views) {
  constexpr int32_t kNoParent = -1;
  absl::flat_hash_map<int32_t, std::vector<size_t>> children;
  for (size_t i = 0; i < views.size(); ++i) children[views[i].parent].push_back(i);
  struct Step {
    size_t view;
    Space space;
  };
  std::vector<Step> open;
  const auto open_children = [&](int32_t parent, const Space& space) {
    const auto at = children.find(parent);
    if (at == children.end()) return;
    for (auto child = at->second.rbegin(); child != at->second.rend(); ++child)
      open.push_back({*child, space});
    children.erase(at);
  };
  const auto roots = children.find(kNoParent);
  if (roots == children.end()) return;
  open.push_back({roots->second.front(), {}});
  children.erase(roots);
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const Space space = place_view(views[step.view], step.space);
    open_children(views[step.view].id, space);
  }
}

class Snapshot {
 public:
  Snapshot(const PacketInfo& packet, PacketOutput& out)
      : packet_(packet), out_(out), rects_(packet.time, out.sink) {}

  void read(std::string_view message) {
    const std::string head =
        without_field(packet_, kCapture, message, {kCapture.name, Field::kViews}, out_);
    Texts texts;
    const uint32_t args = add_args(kCapture, head, texts);
    RowWriter row(out_.sink, "viewcapture");
    add_raw(message, row);
    add_text("package_name", texts, Field::kPackageNameIid, row);
    add_text("window_name", texts, Field::kWindowNameIid, row);
    number_ = rects_.next_number();
    out_.sink.event(row.finish(packet_.time, args, number_));
    std::vector<View> views;
    for (Message fields(message); fields.next();)
      if (fields.number() == Field::kViews) views.push_back(read_view(fields.bytes()));
    place_views(views);
    for (const View& view : views) add_view(view);
  }

 private:
  using Texts = absl::flat_hash_map<uint32_t, StringId>;  // by field of the message

  static void add_text(std::string_view column, const Texts& texts, uint32_t number,
                       RowWriter& row) {
    const auto at = texts.find(number);
    if (at != texts.end()) row.cell(column, ArgType::String, at->second.row);
  }

  // Returns the arg set of a message. A text takes the place of its number; `texts` gets those that
  // are known.
  uint32_t add_args(const MessageType& type, std::string_view message, Texts& texts) {
    constexpr std::string_view kSuffix = "_iid";
    ArraySizes arrays;
    ArgPath path("");
    out_.sink.open_args();
    Message fields(message);
    bool is_empty = true;
    for (; fields.next(); is_empty = false) {
      const FieldDescriptor* field = out_.descriptors.field(type.name, fields.number());
      if (field == nullptr) continue;
      const uint32_t table = text_table(type, fields.number());
      const std::string* entry =
          table == 0 ? nullptr : packet_.sequence->find_message(table, fields.u64());
      if (entry == nullptr)
        add_field_args(out_.descriptors, *field, fields, path, arrays, out_.sink);
      if (table == 0) continue;
      const std::string_view text =
          entry == nullptr ? kMissing : read_intern_entry(Message(*entry)).text;
      const std::string_view name = field->name;
      const StringId id = out_.sink.string(text);
      tracebraid::add_text(name.substr(0, name.size() - kSuffix.size()), id, out_.sink);
      if (entry == nullptr)
        out_.count(stats::winscope_viewcapture_missing_interned_string_parse_errors, packet_);
      else
        texts[fields.number()] = id;
    }
    if (is_empty) out_.sink.arg(path.arg_key(out_.sink), ArgType::Null, 0);
    if (fields.bad()) out_.count(type.malformed, packet_);
    return out_.sink.close_args();
  }

  void add_view(const View& view) {
    using Number = field::ViewCapture_View;
    Texts texts;
    const uint32_t args = add_args(kView, view.message, texts);
    int64_t rect = 0;
    if (view.is_reached)
      rect = rects_.add({.rect = view.rect,
                         .depth = kDepthOfLevel * view.level,
                         .is_visible = view.is_visible,
                         .opacity = view.alpha});
    RowWriter row(out_.sink, "viewcapture_view");
    add_raw(view.message, row);
    // Ids are shown as unsigned numbers of 32 bits.
    row.row("snapshot_id", number_)
        .integer("node_id", static_cast<uint32_t>(view.id))
        .integer("hashcode", static_cast<uint32_t>(view.hashcode))
        .integer("parent_id", static_cast<uint32_t>(view.parent))
        .integer("is_visible", view.is_visible);
    add_text("view_id", texts, Number::kViewIdIid, row);
    add_text("class_name", texts, Number::kClassNameIid, row);
    if (view.is_reached) row.row("trace_rect_id", rect);
    out_.sink.event(row.finish(packet_.time, args));
  }

  const PacketInfo& packet_;
  PacketOutput& out_;
  RectRows rects_;
  int64_t number_ = 0;
};

}  // namespace

void read_view_capture(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  Snapshot(packet, out).read(message);
}

}  // namespace tracebraid::proto
