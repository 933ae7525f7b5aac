#include "capi/handles.h"

using namespace tracebraid;
using namespace tracebraid::capi;

namespace {

std::optional<std::string> optional_text(const char* text) {
  if (text == nullptr) return std::nullopt;
  return text;
}

}  // namespace

extern "C" {

int tracebraid_clock_find(tracebraid_trace* trace, const char* name, const char* machine,
                          const char* file, int64_t sequence, tracebraid_clock** out,
                          tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(trace, "trace"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    ClockRequest request{optional_text(name), optional_text(machine), optional_text(file), {}};
    if (sequence >= 0) request.sequence = sequence;
    auto clock = std::make_unique<tracebraid_clock>();
    clock->open = trace->open;
    TB_TRY_ASSIGN(clock->clock, find_clock(*trace->open->trace(), request));
    *out = clock.release();
    return {};
  });
}

const char* tracebraid_clock_label(const tracebraid_clock* clock) {
  return exists(clock) ? clock->clock.label.c_str() : "";
}

void tracebraid_clock_free(tracebraid_clock* clock) {
  if (is_owned(clock)) delete clock;
}

int tracebraid_clock_convert(const tracebraid_clock* from, const tracebraid_clock* to,
                             const int64_t* ts, size_t count, int64_t* out, int64_t* bound,
                             uint8_t* valid, tracebraid_error** err) {
  return guarded(err, [&]() -> Result<> {
    TB_TRY(check(from, "from"));
    TB_TRY(check(to, "to"));
    if (from->open != to->open) return fail(ErrorCode::Usage, "the clocks are of different traces");
    if (count == 0) return {};
    if (ts == nullptr) return tl::unexpected(missing("ts"));
    if (out == nullptr) return tl::unexpected(missing("out"));
    TB_TRY_ASSIGN(const std::shared_ptr<const ClockConverter> converter,
                  ClockConverter::open(from->open->trace(), from->clock.row, to->clock.row));
    return converter->convert({ts, count}, {out, count},
                              {bound, bound == nullptr ? size_t{0} : count}, valid);
  });
}

}  // extern "C"
