// Stats that the readers of proto/gpu/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_GPU_STATS(STAT)                                                       \
  STAT(21, frame_timeline_event_parser_errors, Single, Info, Analysis, MachineAndFile) \
  STAT(22, frame_timeline_unpaired_end_event, Single, Info, Analysis, MachineAndFile)  \
  STAT(66, gpu_counters_invalid_spec, Single, Error, Analysis, MachineAndFile)         \
  STAT(67, gpu_counters_missing_spec, Single, Error, Analysis, MachineAndFile)         \
  STAT(70, graphics_frame_event_parser_errors, Single, Info, Analysis, MachineAndFile) \
  STAT(178, vulkan_allocations_invalid_string_id, Single, Error, Trace, MachineAndFile)

TB_DECLARE_STATS(TB_PROTO_GPU_STATS)
