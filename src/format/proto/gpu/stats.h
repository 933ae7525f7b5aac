// Stats that the readers of proto/gpu/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_GPU_STATS(STAT)                                                                   \
  STAT(21, frame_timeline_event_parser_errors, Single, Info, Analysis, MachineAndFile, LostEvents, \
       "An event of the frame timeline lacks a required field or is malformed. The event is on "   \
       "no row. Check the version of the recorder.")                                               \
  STAT(22, frame_timeline_unpaired_end_event, Single, Info, Analysis, MachineAndFile, Unpaired,    \
       "A frame ends that did not begin in the file. The end is on no row. Usual at the start of"  \
       " a recording whose buffer wrapped.")                                                       \
  STAT(66, gpu_counters_invalid_spec, Single, Error, Analysis, MachineAndFile, LostData,           \
       "The description of a GPU counter lacks its id or name. Values of this counter cannot be "  \
       "named. Check the GPU data source of the recording.")                                       \
  STAT(67, gpu_counters_missing_spec, Single, Error, Analysis, MachineAndFile, LostEvents,         \
       "A value belongs to a GPU counter without a description. The value is no row of counter. "  \
       "Check whether the start of the recording is missing.")                                     \
  STAT(70, graphics_frame_event_parser_errors, Single, Info, Analysis, MachineAndFile, LostData,   \
       "An event of the graphics pipeline has no buffer, or belongs to no phase of one. Without "  \
       "a buffer, the event is on no row. Check the version of the recorder.")                     \
  STAT(178, vulkan_allocations_invalid_string_id, Single, Error, Trace, MachineAndFile, LostData,  \
       "A Vulkan memory event refers to a text that was not defined. The name is empty. Check "    \
       "whether the start of the recording is missing.")

TB_DECLARE_STATS(TB_PROTO_GPU_STATS)
