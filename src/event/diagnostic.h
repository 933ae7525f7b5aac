// Findings about the configuration of a recording (spec proto-2 1).
#pragma once

#include <cstdint>
#include <vector>

namespace tracebraid {

// In the order of the rows of the table.
enum class DiagnosticRule : uint8_t {
  PreserveFtraceBufferLateStart,
  TinyFtraceBuffer,
  LowFtraceDrainBandwidth,
  ExtremeFtraceDrainPeriod,
  SyscallsWithoutFilter,
  FunctionGraphRequiresSymbolizeKsyms,
  EventsRequireSymbolizeKsyms,
  DiscardBufferForStreaming,
  HeapprofdSamplingIntervalTooLow,
  DisplayVideoNotEnabled,
};

// A finding. Some also depend on the whole file; merge decides them (merge/diagnostics.h).
struct Diagnostic {
  DiagnosticRule rule;
  double confidence;  // without signs of a loss
};

// The findings of the last config of the file.
struct ConfigDiagnostics {
  uint32_t machine = 0;  // index of EventBatch::machines
  std::vector<Diagnostic> found;
};

}  // namespace tracebraid
