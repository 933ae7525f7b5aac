// Formats that are recognised, but not read: the error names the format.
#include <fmt/format.h>

#include "format/format.h"
#include "format/unsupported/sniff.h"

namespace tracebraid {
namespace {

using namespace std::string_view_literals;

template <const Format& format>
Result<> refuse(Input&, const ReadOptions&, Chunks&) {
  return fail(ErrorCode::Unsupported, fmt::format("{} ({}): the format is recognised, but not read",
                                                  format.title, format.name));
}

Match sure_if(bool is_it) { return is_it ? Match::Sure : Match::No; }

// Matches traces of Android's runtime: "SLOW" and a version.
bool is_method_trace(std::string_view head, bool is_second) {
  if (head.starts_with("*version\n")) return !is_second;
  if (!head.starts_with("SLOW") || head.size() < 6) return false;
  const unsigned version =
      static_cast<uint8_t>(head[4]) | static_cast<unsigned>(static_cast<uint8_t>(head[5])) << 8;
  const bool has_second_layout =
      version == 0x0004 || version == 0x0005 || version == 0x00f4 || version == 0x00f5;
  return has_second_layout == is_second;
}

}  // namespace

namespace art_hprof {
extern const Format kFormat;
const Format kFormat{
    .name = "art_hprof",
    .title = "Java heap dump (hprof)",
    .sniff = [](const Peek& peek) { return sure_if(peek.head.starts_with("JAVA PROFILE")); },
    .read = refuse<kFormat>,
};
}  // namespace art_hprof

namespace art_method {
extern const Format kFormat;
const Format kFormat{
    .name = "art_method",
    .title = "Android method trace (ART, DDMS)",
    .sniff = [](const Peek& peek) { return sure_if(is_method_trace(peek.head, false)); },
    .read = refuse<kFormat>,
};
}  // namespace art_method

namespace art_method_v2 {
extern const Format kFormat;
const Format kFormat{
    .name = "art_method_v2",
    .title = "Android method trace (ART), version 2",
    .sniff = [](const Peek& peek) { return sure_if(is_method_trace(peek.head, true)); },
    .read = refuse<kFormat>,
};
}  // namespace art_method_v2

namespace arrow {
extern const Format kFormat;
const Format kFormat{
    .name = "arrow",
    .title = "Arrow table",
    .sniff = [](const Peek& peek) { return sure_if(peek.head.starts_with("ARROW1")); },
    .read = refuse<kFormat>,
};
}  // namespace arrow

namespace ctf {
extern const Format kFormat;
const Format kFormat{
    .name = "ctf",
    .title = "Common Trace Format (LTTng)",
    .sniff =
        [](const Peek& peek) {
          return sure_if(peek.head.starts_with("\xc1\x1f\xfc\xc1"sv) ||
                         peek.head.starts_with("\xc1\xfc\x1f\xc1"sv) ||
                         peek.head.starts_with("\x57\x1d\xd1\x75"sv) ||
                         // Matches indexes that LTTng writes beside the streams.
                         peek.head.starts_with("\xc1\xf1\xdc\xc1"sv) ||
                         peek.head.starts_with("\xc1\xdc\xf1\xc1"sv) ||
                         peek.head.starts_with("/* CTF 1"));
        },
    .read = refuse<kFormat>,
};
}  // namespace ctf

namespace etw {
extern const Format kFormat;
const Format kFormat{
    .name = "etw",
    .title = "Windows events (ETW) as JSON",
    .sniff =
        [](const Peek& peek) {
          return sure_if(unsupported::begins_object(peek.head, "{\"name\":\"ETW\""));
        },
    .read = refuse<kFormat>,
};
}  // namespace etw

// Matched by path, because the content of a single file of the folder or ZIP is not enough.
namespace instruments_trace {
extern const Format kFormat;
const Format kFormat{
    .name = "instruments_trace",
    .title = "Instruments recording (.trace; export it with xctrace export, and open the XML)",
    .sniff =
        [](const Peek& peek) {
          return unsupported::is_part_of_instruments_trace(peek.name) ? Match::Maybe : Match::No;
        },
    .read = refuse<kFormat>,
};
}  // namespace instruments_trace

namespace jaeger {
extern const Format kFormat;
const Format kFormat{
    .name = "jaeger",
    .title = "Jaeger trace (JSON)",
    .sniff =
        [](const Peek& peek) {
          return sure_if(unsupported::begins_object(peek.head, "{\"data\":[{\"traceID\":"));
        },
    .read = refuse<kFormat>,
};
}  // namespace jaeger

namespace pprof {
extern const Format kFormat;
const Format kFormat{
    .name = "pprof",
    .title = "pprof profile",
    .sniff = [](const Peek& peek) { return sure_if(unsupported::is_pprof(peek.head)); },
    .read = refuse<kFormat>,
};
}  // namespace pprof

namespace v8_log {
extern const Format kFormat;
const Format kFormat{
    .name = "v8_log",
    .title = "V8 log (--prof)",
    .sniff =
        [](const Peek& peek) {
          return sure_if(peek.head.starts_with("v8-version,") ||
                         peek.head.starts_with("shared-library,"));
        },
    .read = refuse<kFormat>,
};
}  // namespace v8_log

}  // namespace tracebraid
