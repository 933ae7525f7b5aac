// Steps of flows that only our own exports have: each id is one arrow of the file, from the slice
// with kArrowOut to the one with kArrowIn, which stand in the order of time. They are numbers
// behind those of FlowStepKind.
#pragma once

#include "event/batch.h"

namespace tracebraid {

inline constexpr auto kArrowOut = static_cast<FlowStepKind>(64);
inline constexpr auto kArrowIn = static_cast<FlowStepKind>(65);
// Before kArrowIn: its trace id, which is the step's id, if it has one; and that it leads back.
inline constexpr auto kArrowId = static_cast<FlowStepKind>(66);
inline constexpr auto kArrowBack = static_cast<FlowStepKind>(67);

constexpr bool is_arrow_step(FlowStepKind kind) { return kind >= kArrowOut && kind <= kArrowBack; }

}  // namespace tracebraid
