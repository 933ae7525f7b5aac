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
  STAT(68, gpu_counters_missing_timestamp, Single, Error, Trace, MachineAndFile, LostEvents,       \
       "A packet with samples of GPU counters has no time. The samples are no rows of counter. "   \
       "Check the GPU data source of the recording.")                                              \
  STAT(                                                                                            \
      69, gpu_render_stage_parser_errors, Single, Error, Analysis, MachineAndFile, LostEvents,     \
      "A render stage belongs to a hardware queue that was not described. The stage is no row of " \
      "slice. Check whether the start of the recording is missing.")                               \
  STAT(70, graphics_frame_event_parser_errors, Single, Info, Analysis, MachineAndFile, LostData,   \
       "An event of the graphics pipeline has no buffer, or belongs to no phase of one. Without "  \
       "a buffer, the event is on no row. Check the version of the recorder.")                     \
  STAT(178, vulkan_allocations_invalid_string_id, Single, Error, Trace, MachineAndFile, LostData,  \
       "A Vulkan memory event refers to a text that was not defined. The name is empty. Check "    \
       "whether the start of the recording is missing.")                                           \
  STAT(439, gpu_counter_sample_undescribed, Single, Error, Analysis, MachineAndFile, LostEvents,   \
       "A sample belongs to a GPU counter that no packet of the file describes. The sample is no " \
       "row of counter. Check whether the start of the recording is missing.")

TB_DECLARE_STATS(TB_PROTO_GPU_STATS)
