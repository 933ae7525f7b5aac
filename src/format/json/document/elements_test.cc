#include "format/json/document/elements.h"

#include <gtest/gtest.h>

namespace tracebraid::json {
namespace {

TEST(GuessStartOfEvent, TakesTheLastEvent) {
  const std::string_view bytes =
      R"([{"ph":"X"},{"args":[{"a":1},{"b":2}],"ph":"X"},{"ts":1,"ph":"B"},{"ts":)";
  const std::optional<size_t> guess = guess_start_of_event(bytes, Form::Array);
  EXPECT_EQ(bytes.substr(guess.value_or(0)), R"({"ts":1,"ph":"B"},{"ts":)");
}

TEST(GuessStartOfEvent, SkipsBlanks) {
  const std::string_view bytes = "[\n  {\"ph\":\"X\"} ,\r\n  {\"ph\":\"X\"";
  EXPECT_EQ(guess_start_of_event(bytes, Form::Array), bytes.rfind('{'));
}

TEST(GuessStartOfEvent, NothingThatIsNoEvent) {
  EXPECT_EQ(guess_start_of_event(R"([{"a":1},{"b":2},{"ph":3}])", Form::Array), std::nullopt);
  EXPECT_EQ(guess_start_of_event(R"("},{\"ph\":\"X\"}")", Form::Array), std::nullopt);
  EXPECT_EQ(guess_start_of_event("", Form::Array), std::nullopt);
  EXPECT_EQ(guess_start_of_event(R"({"ph":"X"})", Form::Array), std::nullopt);
}

TEST(GuessStartOfEvent, Lines) {
  const std::string_view bytes = "{\"ph\":\"X\"}\n{\"ph\":\"B\"}";
  EXPECT_EQ(guess_start_of_event(bytes, Form::Lines), 11U);
  EXPECT_EQ(guess_start_of_event(bytes, Form::Array), std::nullopt);
}

TEST(FieldOf, KnowsAllNames) {
  const std::pair<std::string_view, Field> kNames[] = {
      {"ph", Field::Phase},         {"name", Field::Name},
      {"cat", Field::Category},     {"ts", Field::Ts},
      {"dur", Field::Dur},          {"tts", Field::Tts},
      {"tdur", Field::Tdur},        {"ticount", Field::InstructionCount},
      {"pid", Field::Pid},          {"tidelta", Field::InstructionDelta},
      {"tid", Field::Tid},          {"id", Field::Id},
      {"id2", Field::Id2},          {"scope", Field::Scope},
      {"s", Field::InstantScope},   {"bp", Field::BindPoint},
      {"bind_id", Field::BindId},   {"flow_in", Field::FlowIn},
      {"flow_out", Field::FlowOut}, {"sf", Field::StartFrame},
      {"esf", Field::EndFrame},     {"stack", Field::StartStack},
      {"estack", Field::EndStack},  {"cname", Field::Colour},
      {"args", Field::Args},        {"use_async_tts", Field::UseAsyncTts}};
  EXPECT_EQ(std::size(kNames), kFields);
  for (const auto& [name, field] : kNames) {
    EXPECT_EQ(field_of(name), field) << name;
    for (size_t i = 0; i < name.size(); ++i) {  // no name but this one
      std::string other(name);
      other[i] = 'X';
      EXPECT_EQ(field_of(other), Field::Unknown) << other;
    }
  }
  EXPECT_EQ(field_of(""), Field::Unknown);
  EXPECT_EQ(field_of(std::string_view("ph\0", 3)), Field::Unknown);
}

}  // namespace
}  // namespace tracebraid::json
