#include "format/proto/window/protolog.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "event/row.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/window/stats.h"

namespace tracebraid::proto {
namespace {

constexpr std::string_view kMissingText = "<ERROR>", kMissingParam = "[MISSING_PARAM]";
constexpr std::string_view kCollision = "COLLISION_GROUP", kUnknownGroup = "UNKNOWN_GROUP";
constexpr std::string_view kLevels[] = {"UNKNOWN", "DEBUG", "VERBOSE", "INFO",
                                        "WARN",    "ERROR", "WTF"};
constexpr std::string_view kWarn = "WARN";

// The letters of placeholders, by the kind of the parameter that they take.
enum class ParamKind : uint8_t { None, Number, Real, Text, Flag };
constexpr ParamKind kind_of(char letter) {
  switch (letter) {
    case 'd':
    case 'o':
    case 'x':
      return ParamKind::Number;
    case 'f':
    case 'e':
    case 'g':
      return ParamKind::Real;
    case 's':
      return ParamKind::Text;
    case 'b':
      return ParamKind::Flag;
    default:
      return ParamKind::None;
  }
}

// Returns null for an unknown iid.
StringId interned_text(const PacketInfo& packet, uint32_t field, uint64_t iid, EventSink& sink) {
  const std::string* entry = packet.sequence->find_message(field, iid);
  return entry == nullptr ? StringId{} : sink.string(read_intern_entry(Message(*entry)).text);
}

// Calls text(part) for the parts of a format between its placeholders, and param(letter) for these.
template <class OnText, class OnParam>
void split_format(std::string_view format, OnText text, OnParam param) {
  while (!format.empty()) {
    const size_t percent = std::min(format.find('%'), format.size());
    text(format.substr(0, percent));
    format.remove_prefix(percent);
    if (format.empty()) return;
    const std::string_view place = format.substr(0, 2);
    if (place == "%%")
      text("%");
    else if (place.size() == 2 && kind_of(place[1]) != ParamKind::None)
      param(place[1]);
    else
      text(place);
    format.remove_prefix(place.size());
  }
}

class Formatter {
 public:
  // `most`: bytes of the text, at most.
  Formatter(const ProtologParams& params, size_t most, EventSink& sink)
      : params_(params), most_(most), sink_(sink) {}

  std::string format(std::string_view format) {
    is_cut_ = format.size() > most_;
    split_format(
        format.substr(0, most_), [&](std::string_view part) { append(part); },
        [&](char letter) { add(letter); });
    return std::move(text_);
  }
  bool is_cut() const { return is_cut_; }
  int64_t missing() const { return missing_; }
  bool has_rest() const {
    return texts_ < params_.texts.size() || numbers_ < params_.numbers.size() ||
           reals_ < params_.reals.size() || flags_ < params_.flags.size();
  }

 private:
  void append(std::string_view part) {
    const size_t left = most_ - text_.size();
    is_cut_ |= part.size() > left;
    text_ += part.substr(0, left);
  }
  // Moves to the next value of the list; returns false, and shows so, if there is none.
  template <class List>
  bool take(const List& list, size_t& next) {
    if (next < list.size()) {
      ++next;
      return true;
    }
    ++missing_;
    append(kMissingParam);
    return false;
  }

  void add(char letter) {
    switch (letter) {
      case 'd':
        if (take(params_.numbers, numbers_))
          append(fmt::format("{}", params_.numbers[numbers_ - 1]));
        break;
      case 'o':
        if (take(params_.numbers, numbers_))
          append(fmt::format("{:o}", static_cast<uint64_t>(params_.numbers[numbers_ - 1])));
        break;
      case 'x':
        if (take(params_.numbers, numbers_))
          append(fmt::format("{:x}", static_cast<uint64_t>(params_.numbers[numbers_ - 1])));
        break;
      case 'f':
        if (take(params_.reals, reals_)) append(fmt::format("{:f}", params_.reals[reals_ - 1]));
        break;
      case 'e':
        if (take(params_.reals, reals_)) append(fmt::format("{:e}", params_.reals[reals_ - 1]));
        break;
      case 'g':
        if (take(params_.reals, reals_)) append(fmt::format("{:g}", params_.reals[reals_ - 1]));
        break;
      case 's':
        if (take(params_.texts, texts_))
          append(sink_.batch().strings.get(params_.texts[texts_ - 1]));
        break;
      default:
        if (take(params_.flags, flags_)) append(params_.flags[flags_ - 1] ? "true" : "false");
        break;
    }
  }
  const ProtologParams& params_;
  size_t most_;
  EventSink& sink_;
  std::string text_;
  bool is_cut_ = false;
  size_t texts_ = 0, numbers_ = 0, reals_ = 0, flags_ = 0;
  int64_t missing_ = 0;
};

// The parameters that the placeholders of the format take.
ProtologText::Takes takes_of(std::string_view format) {
  ProtologText::Takes takes;
  const auto add = [&](char letter) {
    const ParamKind kind = kind_of(letter);
    takes.texts += kind == ParamKind::Text;
    takes.numbers += kind == ParamKind::Number;
    takes.reals += kind == ParamKind::Real;
    takes.flags += kind == ParamKind::Flag;
  };
  split_format(format, [](std::string_view) {}, add);
  return takes;
}

bool fits(const ProtologText& text, const ProtologParams& params) {
  return text.takes == ProtologText::Takes{params.texts.size(), params.numbers.size(),
                                           params.reals.size(), params.flags.size()};
}

class LineWriter {
 public:
  LineWriter(uint32_t machine, const ProtologState& state, PacketOutput& out)
      : machine_(machine), state_(state), out_(out) {}

  void add(const ProtologState::Line& line) {
    line_ = &line;
    text_left_ += kMostTextPerLine;
    RowWriter row(out_.sink, "protolog");
    if (const auto texts = state_.texts.find(line.id); texts != state_.texts.end())
      describe(texts->second, row);
    else
      count(stats::winscope_protolog_message_decoding_failed);
    out_.sink.event(row.finish(line.time));
  }

 private:
  void count(StatId stat) { out_.sink.count(stat, line_->at, {}, machine_); }

  void describe(const std::vector<ProtologText>& texts, RowWriter& row) {
    if (line_->stack) row.cell("stacktrace", ArgType::String, line_->stack.row);
    std::vector<const ProtologText*> fitting;
    for (const ProtologText& text : texts)
      if (texts.size() == 1 || fits(text, line_->params)) fitting.push_back(&text);
    if (fitting.size() != 1) return add_collision(fitting, row);
    if (texts.size() > 1) count(stats::winscope_protolog_message_collision_resolved);
    const ProtologText& text = *fitting.front();
    row.text("level", kLevels[text.level < std::size(kLevels) ? text.level : 0]);
    row.text("tag", tag_of(text.group));
    row.text("message", formatted(text.text));
    if (!text.location.empty()) row.text("location", text.location);
  }

  void add_collision(const std::vector<const ProtologText*>& fitting, RowWriter& row) {
    count(stats::winscope_protolog_message_collision);
    std::string candidates;
    for (const ProtologText* text : fitting)
      candidates += fmt::format("{}'{}'", candidates.empty() ? "" : ",\n ", formatted(text->text));
    row.text("level", kWarn).text("tag", kCollision);
    // The prefix 0x is there twice, as readers of this text expect.
    row.text("message",
             fitting.empty()
                 ? fmt::format("<PROTOLOG COLLISION (id=0x{:#x}) NO TYPE MATCH>", line_->id)
                 : fmt::format("<PROTOLOG COLLISION (id=0x{:#x}) MULTIPLE TYPE MATCHES : {}>",
                               line_->id, candidates));
  }

  std::string formatted(std::string_view text) {
    Formatter formatter(line_->params, text_left_, out_.sink);
    std::string made = formatter.format(text);
    text_left_ -= made.size();
    if (formatter.is_cut()) count(stats::winscope_protolog_message_decoding_failed);
    for (int64_t i = formatter.missing() + (formatter.has_rest() ? 1 : 0); i > 0; --i)
      count(stats::winscope_protolog_param_mismatch);
    return made;
  }

  std::string_view tag_of(uint64_t group) {
    const auto tag = state_.tags.find(group);
    if (tag != state_.tags.end()) return tag->second;
    count(stats::winscope_protolog_group_tag_missing);
    return kUnknownGroup;
  }

  uint32_t machine_;
  const ProtologState& state_;
  PacketOutput& out_;
  const ProtologState::Line* line_ = nullptr;
  // A budget bounds the size of all texts, because each line repeats its text and parameters.
  static constexpr size_t kMostTextPerLine = 1024;
  size_t text_left_ = size_t{1} << 20;
};

void read_text(Message fields, ProtologState& state) {
  using Field = field::ProtoLogViewerConfig_MessageData;
  uint64_t id = 0;
  ProtologText text;
  while (fields.next()) {
    if (fields.number() == Field::kMessageId) id = fields.u64();
    if (fields.number() == Field::kMessage) text.text = fields.bytes();
    if (fields.number() == Field::kLevel) text.level = fields.u64();
    if (fields.number() == Field::kGroupId) text.group = fields.u64();
    if (fields.number() == Field::kLocation) text.location = fields.bytes();
  }
  text.takes = takes_of(text.text);
  std::vector<ProtologText>& texts = state.texts[id];
  constexpr size_t kMostTexts = 64;  // of one id; more are damage
  if (texts.size() < kMostTexts && std::ranges::find(texts, text) == texts.end())
    texts.push_back(std::move(text));
}

}  // namespace

void read_protolog_message(const PacketInfo& packet, std::string_view message, ProtologState& state,
                           PacketOutput& out) {
  using Field = field::ProtoLogMessage;
  using Interned = field::InternedData;
  ProtologState::Line line{packet.time, packet.at, 0, {}, {}};
  bool lacks_stack = false;
  const auto add_text = [&](uint64_t iid) {
    StringId text = interned_text(packet, Interned::kProtologStringArgs, iid, out.sink);
    if (!text) {
      out.count(stats::winscope_protolog_missing_interned_arg_parse_errors, packet);
      text = out.sink.string(kMissingText);
    }
    line.params.texts.push_back(text);
  };
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kMessageId:
        line.id = fields.u64();
        break;
      case Field::kStrParamIids:
        for_each_varint(fields, add_text);
        break;
      case Field::kSint64Params:
        for_each_varint(fields,
                        [&](uint64_t bits) { line.params.numbers.push_back(zigzag(bits)); });
        break;
      case Field::kDoubleParams:
        for_each_fixed64(fields, [&](uint64_t bits) {
          line.params.reals.push_back(std::bit_cast<double>(bits));
        });
        break;
      case Field::kBooleanParams:
        for_each_varint(fields, [&](uint64_t bits) { line.params.flags.push_back(bits != 0); });
        break;
      case Field::kStacktraceIid:
        line.stack = interned_text(packet, Interned::kProtologStacktrace, fields.u64(), out.sink);
        lacks_stack = !line.stack;
        break;
      default:
        break;
    }
  }
  // A missing stack counts as a parameter, too.
  if (lacks_stack) {
    out.count(stats::winscope_protolog_missing_interned_stacktrace_parse_errors, packet);
    line.params.texts.push_back(out.sink.string(kMissingText));
  }
  state.lines.push_back(std::move(line));
}

void read_protolog_config(const PacketInfo& packet, std::string_view message, ProtologState& state,
                          PacketOutput& out) {
  using Group = field::ProtoLogViewerConfig_Group;
  for (Message fields(message); fields.next();) {
    if (fields.number() == field::ProtoLogViewerConfig::kMessages)
      read_text(fields.message(), state);
    if (fields.number() != field::ProtoLogViewerConfig::kGroups) continue;
    uint64_t id = 0;
    std::string tag;
    for (Message group = fields.message(); group.next();) {
      if (group.number() == Group::kId) id = group.u64();
      if (group.number() == Group::kTag) tag = group.bytes();
    }
    const auto [known, is_new] = state.tags.try_emplace(id, tag);
    if (is_new || known->second == tag) continue;
    known->second = kCollision;
    out.count(stats::winscope_protolog_group_tag_collision, packet);
  }
}

void finish_protolog(uint32_t machine, ProtologState& state, PacketOutput& out) {
  LineWriter writer(machine, state, out);
  for (const ProtologState::Line& line : state.lines) writer.add(line);
}

}  // namespace tracebraid::proto
