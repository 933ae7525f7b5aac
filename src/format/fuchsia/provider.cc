#include "format/fuchsia/provider.h"

#include <bit>

#include "event/plain_args.h"
#include "format/common/stats.h"
#include "format/fuchsia/stats.h"

namespace tracebraid::fuchsia {

std::optional<int64_t> ns_of_ticks(uint64_t ticks, const Provider& provider) {
  constexpr unsigned __int128 kNsPerSecond = 1'000'000'000;
  const unsigned __int128 ns = ticks * kNsPerSecond / provider.ticks_per_second;
  if (ns > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(ns);
}

StringId string_of(uint64_t ref, const Provider& provider, Words& words, EventSink& sink) {
  constexpr uint64_t kInline = 0x8000;
  if ((ref & kInline) != 0) return sink.string(words.bytes(static_cast<size_t>(ref & ~kInline)));
  if (ref == 0) return sink.string("");
  if (ref < provider.strings.size() && provider.strings[ref]) return provider.strings[ref];
  sink.tally(stats::fuchsia_invalid_string_ref);
  return sink.string("");
}

std::optional<ThreadKoids> thread_of(uint64_t ref, const Provider& provider, Words& words,
                                     EventSink& sink) {
  if (ref == 0) {
    const uint64_t process = words.word();
    return ThreadKoids{process, words.word()};
  }
  if (!provider.threads[ref & 0xFF]) sink.tally(stats::fuchsia_invalid_event);
  return provider.threads[ref & 0xFF];
}

std::optional<Arg> take_arg(const Provider& provider, Words& words, EventSink& sink) {
  if (words.empty()) return std::nullopt;
  Words at = words;
  const uint64_t header = at.word();
  const uint64_t size = bits(header, 4, 15);
  if (size == 0) return std::nullopt;
  const std::string_view whole = words.bytes(static_cast<size_t>(size) * kWord);
  if (words.bad()) return std::nullopt;
  Words body(whole);
  body.word();
  Arg arg;
  arg.name = string_of(bits(header, 16, 31), provider, body, sink);
  arg.kind = static_cast<ArgKind>(bits(header, 0, 3));
  const auto small = static_cast<uint32_t>(bits(header, 32, 63));
  switch (arg.kind) {
    case ArgKind::Null:
      break;
    case ArgKind::Int32:
      arg.bits = static_cast<int32_t>(small);
      break;
    case ArgKind::Uint32:
      arg.bits = small;
      break;
    case ArgKind::Int64:
    case ArgKind::Uint64:
    case ArgKind::Double:
    case ArgKind::Pointer:
    case ArgKind::Koid:
      arg.bits = static_cast<int64_t>(body.word());
      break;
    case ArgKind::String:
      arg.bits = string_of(bits(header, 32, 47), provider, body, sink).row;
      break;
    case ArgKind::Bool:
      arg.bits = small & 1;
      break;
    case ArgKind::Blob:
      break;
    default:
      sink.tally(stats::fuchsia_invalid_event_arg_type);
      arg.kind = ArgKind::Blob;
  }
  if (body.bad()) return std::nullopt;
  return arg;
}

std::vector<Arg> take_args(uint64_t count, const Provider& provider, Words& words,
                           EventSink& sink) {
  std::vector<Arg> args;
  for (uint64_t i = 0; i < count; ++i) {
    const std::optional<Arg> arg = take_arg(provider, words, sink);
    if (!arg) {
      sink.tally(stats::fuchsia_invalid_event);
      break;
    }
    args.push_back(*arg);
  }
  return args;
}

std::optional<double> number_of(const Arg& arg) {
  switch (arg.kind) {
    case ArgKind::Int32:
    case ArgKind::Uint32:
    case ArgKind::Int64:
      return static_cast<double>(arg.bits);
    case ArgKind::Uint64:
      return static_cast<double>(static_cast<uint64_t>(arg.bits));
    case ArgKind::Double:
      return std::bit_cast<double>(arg.bits);
    default:
      return std::nullopt;
  }
}

uint32_t arg_set(const std::vector<Arg>& args, EventSink& sink) {
  const auto type_of = [](ArgKind kind) {
    switch (kind) {
      case ArgKind::Double:
        return ArgType::Real;
      case ArgKind::String:
        return ArgType::String;
      case ArgKind::Pointer:
        return ArgType::Pointer;
      case ArgKind::Bool:
        return ArgType::Bool;
      case ArgKind::Uint64:
      case ArgKind::Koid:
        return ArgType::Uint;
      default:
        return ArgType::Int;
    }
  };
  sink.open_args();
  for (const Arg& arg : args) {
    if (arg.kind == ArgKind::Blob) continue;
    const uint32_t key = named_key(arg.name, sink);
    if (arg.kind == ArgKind::Null)
      sink.unlisted_arg(key, ArgType::Null);
    else
      sink.arg(key, type_of(arg.kind), arg.bits);
  }
  return sink.close_args();
}

}  // namespace tracebraid::fuchsia
