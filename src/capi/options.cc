#include <fmt/format.h>

#include "capi/export_keys.h"
#include "capi/handles.h"

using namespace tracebraid;
using namespace tracebraid::capi;

std::vector<std::string> tracebraid_options::names() const {
  std::vector<std::string> names;
  for (const TraceInput& input : inputs) names.push_back(input.name);
  if (!open.trace.manifest.empty()) names.push_back(open.trace.manifest);
  return names;
}

extern "C" {

tracebraid_options* tracebraid_options_new(void) {
  try {
    return new tracebraid_options;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void tracebraid_options_free(tracebraid_options* options) {
  if (is_owned(options)) delete options;
}

int tracebraid_options_set(tracebraid_options* options, const char* key, const char* value,
                           tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (key == nullptr) return tl::unexpected(missing("key"));
    if (value == nullptr) return tl::unexpected(missing("value"));
    return set_key(*options, key, value);
  });
}

int tracebraid_options_add_path(tracebraid_options* options, const char* path,
                                tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (path == nullptr) return tl::unexpected(missing("path"));
    options->inputs.push_back({.name = path});
    return {};
  });
}

int tracebraid_options_add_buffer(tracebraid_options* options, const char* name, const void* bytes,
                                  size_t size, void (*release)(void* context), void* context,
                                  tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    std::function<void()> done;
    if (release != nullptr) done = [release, context] { release(context); };
    // Released by the input, also if one of the checks fails.
    TraceInput input = buffer_input(name == nullptr ? "" : name,
                                    {static_cast<const char*>(bytes), size}, std::move(done));
    TB_TRY(check(options, "options"));
    if (name == nullptr) return tl::unexpected(missing("name"));
    if (bytes == nullptr && size != 0) return tl::unexpected(missing("bytes"));
    options->inputs.push_back(std::move(input));
    return {};
  });
}

int tracebraid_options_add_stream(tracebraid_options* options, const char* name,
                                  int64_t (*read)(void* context, void* into, size_t size),
                                  void* context, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (name == nullptr) return tl::unexpected(missing("name"));
    if (read == nullptr) return tl::unexpected(missing("read"));
    options->inputs.push_back(stream_input(
        name, [read, context, name = std::string(name)](char* into, size_t size) -> Result<size_t> {
          const int64_t got = read(context, into, size);
          if (got < 0) return fail(ErrorCode::Io, name + ": the stream cannot be read");
          if (static_cast<uint64_t>(got) > size)
            return fail(ErrorCode::Usage,
                        name + ": the stream returned more than it was asked for");
          return static_cast<size_t>(got);
        }));
    return {};
  });
}

int tracebraid_options_set_manifest(tracebraid_options* options, const char* json, size_t size,
                                    tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (json == nullptr) return tl::unexpected(missing("json"));
    options->manifest = std::string(json, size);
    return {};
  });
}

int tracebraid_options_set_engine(tracebraid_options* options, tracebraid_engine* engine,
                                  tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(options, "options"));
    if (engine != nullptr) TB_TRY(check(engine, "engine"));
    options->engine = engine == nullptr ? nullptr : engine->engine;
    return {};
  });
}

char* tracebraid_options_keys(void) {
  try {
    return copy_text(keys_json());
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // extern "C"
