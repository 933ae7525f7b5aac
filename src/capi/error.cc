#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <cstring>

#include "capi/handles.h"
#include "engine/error_place.h"
#include "engine/rows.h"
#include "engine/sql_error.h"

namespace tracebraid::capi {
namespace {

// Returns what the caller can do about an error of this code; empty for none.
std::string_view hint_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::BadInput:
      return "check that the file is whole; the option skip-unknown leaves out files that are no "
             "traces";
    case ErrorCode::BadManifest:
      return "'tracebraid manifest validate' checks a manifest, 'tracebraid manifest template' "
             "makes one";
    case ErrorCode::NoMemory:
      return "raise memory-limit, or export the trace as a braid and open that";
    case ErrorCode::TypeChanged:
      return "CAST the column, or give its type in the query option types";
    case ErrorCode::Timeout:
      return "allow more time";
    case ErrorCode::Internal:
      return "this is an error of tracebraid; open the trace again";
    default:
      return {};
  }
}

void set_sql_place(tracebraid_error& error, std::string_view message) {
  const std::string_view line = message.substr(0, message.find('\n'));
  if (!line.starts_with("line ")) return;
  error.line = static_cast<int>(number_behind(line, "line ").value_or(0));
  error.column = static_cast<int>(number_behind(line, "column ").value_or(0));
}

// Returns a message that names options of the program as keys, because a library has no dashes.
std::string with_keys(std::string message) {
  for (const std::string_view before : {"; --", "(--"})
    for (size_t at = 0; (at = message.find(before, at)) != std::string::npos; ++at)
      if (std::islower(static_cast<unsigned char>(message[at + before.size()])) != 0)
        message.replace(at + before.size() - 2, 2, "the option ");
  if (message.starts_with("--")) message.erase(0, 2);
  return message;
}

// Returns the error's own hint, or that of its code unless the message already says it.
std::string_view hint_in(const Error& error) {
  if (!error.hint.empty()) return error.hint;
  const std::string_view hint = hint_of(error.code);
  return error.message.find(hint.substr(0, hint.find(','))) == std::string::npos
             ? hint
             : std::string_view();
}

std::string json_of(const tracebraid_error& error, std::string_view hint) {
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("code", error.code);
  json.add("name", code_name(static_cast<ErrorCode>(error.code)));
  json.add("message", error.message);
  if (error.file)
    json.add("file", *error.file);
  else
    json.add_raw("file", "null");
  json.add("offset", error.offset);
  json.add("line", error.line);
  json.add("column", error.column);
  json.add("hint", hint);
  json.close_object();
  return std::move(json).finish();
}

}  // namespace

std::unique_ptr<tracebraid_error> make_error(const Error& error,
                                             std::span<const std::string> inputs) {
  auto made = std::make_unique<tracebraid_error>();
  made->code = static_cast<int>(error.code);
  const bool is_sql = error.code == ErrorCode::Sql || error.code == ErrorCode::Usage;
  made->message = with_keys(is_sql ? plain_sql_error(error.message) : error.message);
  if (is_sql) set_sql_place(*made, made->message);
  made->file = file_in_message(error.message, inputs);
  if (made->file) made->offset = offset_in_message(error.message).value_or(made->offset);
  made->json = json_of(*made, hint_in(error));
  return made;
}

int give(const Error& error, tracebraid_error** err, std::span<const std::string> inputs) noexcept {
  if (err != nullptr) {
    *err = nullptr;  // stays so without memory
    try {
      *err = make_error(error, inputs).release();
    } catch (const std::exception&) {
      return TRACEBRAID_NO_MEMORY;
    }
  }
  return static_cast<int>(error.code);
}

Error opened_before_fork() {
  return {ErrorCode::Usage, "opened before fork: a child process must open its own traces"};
}

Error freed(std::string_view parameter) {
  return {ErrorCode::Usage, fmt::format("{} was freed", parameter)};
}

Error missing(std::string_view parameter) {
  return {ErrorCode::Usage, fmt::format("{} is NULL", parameter)};
}

char* copy_text(std::string_view text) noexcept {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

Result<> give_text(std::string_view text, char** out) {
  char* const copy = copy_text(text);
  if (copy == nullptr) return fail(ErrorCode::NoMemory, "out of memory");
  *out = copy;
  return {};
}

}  // namespace tracebraid::capi

using namespace tracebraid::capi;

extern "C" {

int tracebraid_error_code(const tracebraid_error* error) {
  return exists(error) ? error->code : TRACEBRAID_OK;
}
const char* tracebraid_error_message(const tracebraid_error* error) {
  return exists(error) ? error->message.c_str() : "";
}
const char* tracebraid_error_file(const tracebraid_error* error) {
  return exists(error) && error->file ? error->file->c_str() : nullptr;
}
int64_t tracebraid_error_offset(const tracebraid_error* error) {
  return exists(error) ? error->offset : -1;
}
int tracebraid_error_line(const tracebraid_error* error) { return exists(error) ? error->line : 0; }
int tracebraid_error_column(const tracebraid_error* error) {
  return exists(error) ? error->column : 0;
}
const char* tracebraid_error_json(const tracebraid_error* error) {
  return exists(error) ? error->json.c_str() : "{}";
}
void tracebraid_error_free(tracebraid_error* error) {
  if (exists(error)) delete error;
}

void tracebraid_string_free(char* text) { std::free(text); }

}  // extern "C"
