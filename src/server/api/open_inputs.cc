#include "server/api/open_inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/descriptor.h"

namespace tracebraid::api {
namespace {

// Returns an upload as an input of its own name. The upload lives as long as its bytes.
Result<TraceInput> input_of(const std::shared_ptr<Upload>& upload) {
  const Descriptor file(::open(upload->path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto size = static_cast<size_t>(upload->size);
  if (size == 0) return buffer_input(upload->name, {}, [] {});
  void* const mapped =
      file ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd(), 0) : MAP_FAILED;
  if (mapped == MAP_FAILED)
    return fail(ErrorCode::Io,
                fmt::format("{}: cannot read the upload: {}", upload->name, std::strerror(errno)));
  return buffer_input(upload->name, {static_cast<const char*>(mapped), size},
                      [upload, mapped, size] { ::munmap(mapped, size); });
}

// Quotes a word for a shell, if it needs quotes.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Returns the option with its value if the value is not the default.
std::string words_of(const OptionSpec& spec, OpenOptions& options, OpenOptions& defaults) {
  std::string words;
  const auto add = [&](const std::string& value) {
    words += fmt::format(" --{} {}", spec.key, quoted(value));
  };
  std::visit(
      [&](auto value_of) {
        auto& value = value_of(options);
        if (value == value_of(defaults)) return;
        using Value = std::remove_reference_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          words += fmt::format(" --{}", spec.key);
        else if constexpr (std::is_same_v<Value, std::string>)
          add(value);
        else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
          for (const std::string& each : value) add(each);
        else
          add(fmt::format("{}", value));
      },
      spec.target);
  return words;
}

}  // namespace

Result<std::vector<TraceInput>> trace_inputs(const OpenRequest& request) {
  std::vector<TraceInput> inputs = path_inputs(request.paths);
  for (const std::shared_ptr<Upload>& upload : request.uploads) {
    TB_TRY_ASSIGN(TraceInput input, input_of(upload));
    inputs.push_back(std::move(input));
  }
  inputs.insert(inputs.end(), request.buffers.begin(), request.buffers.end());
  return inputs;
}

std::string command_of(const OpenRequest& request) {
  OpenOptions options, defaults;
  options.trace = request.options;
  if (!request.manifest.empty()) options.trace.manifest = "manifest.json";
  std::string command = "tracebraid check";
  for (const OptionSpec& spec : open_option_specs())
    if (!spec.is_for_libraries) command += words_of(spec, options, defaults);
  for (const TraceInputName& input : request.inputs) command += " " + quoted(input.name);
  return command;
}

std::string title_of(const OpenRequest& request) {
  if (request.inputs.empty()) return "";
  const std::string& first = request.inputs[0].name;
  const size_t slash = first.rfind('/');
  std::string title =
      slash == first.npos || slash + 1 == first.size() ? first : first.substr(slash + 1);
  if (request.inputs.size() > 1) title += fmt::format(" and {} more", request.inputs.size() - 1);
  return title;
}

}  // namespace tracebraid::api
