// Writes states of Java processes: rows of heap_graph without a graph, or with an out-of-memory
// error, as packets art_process_metadata.
#include <algorithm>

#include "export/perfetto/heaps.h"
#include "export/perfetto/tables.h"

namespace tracebraid::perfetto {
namespace {

// Returns the row with this heap_graph_id; kNone if there is none. Rows are in the order of graphs.
template <class Table>
uint32_t row_of_graph(const Table& table, uint32_t graph) {
  const auto graphs = table.heap_graph_id.values();
  const auto at = std::ranges::lower_bound(graphs, graph);
  return at != graphs.end() && *at == graph ? static_cast<uint32_t>(at - graphs.begin()) : kNone;
}

void write_frame(const Store& store, uint32_t row, protozero::pbf_writer& stack) {
  using Field = field::JavaFrame;
  const StackFrameTable& frames = store.stack_frames;
  protozero::pbf_writer frame(stack, field::JavaStack::kFrames);
  add_text(frame, Field::kMethodName, text(store, frames.name[row]));
  const uint32_t symbol = frames.symbol_set_id[row].row;
  if (symbol == OptRow::kNull) return;
  const StackSymbolTable& symbols = store.stack_symbols;
  if (symbols.source_file[symbol])
    add_text(frame, Field::kSourceFile, text(store, symbols.source_file[symbol]));
  if (const OptInt line = symbols.line_number[symbol]; line.value != OptInt::kNull)
    frame.add_int32(Field::kLineNumber, static_cast<int32_t>(line.value));
}

}  // namespace

bool has_java_state(const Store& store, uint32_t graph) {
  const HeapGraphTable& graphs = store.heap_graphs;
  return static_cast<bool>(graphs.dump_reason[graph]) ||
         (graphs.heap_size[graph].value == OptInt::kNull && graphs.truncated[graph] == 0);
}

void write_java_state(const Store& store, uint32_t graph, Writer writer, PacketFile& file) {
  using Field = field::ArtProcessMetadata;
  Packet packet(file, writer, store.heap_graphs.ts[graph]);
  protozero::pbf_writer state(packet.get(), field::TracePacket::kArtProcessMetadata);
  if (const uint32_t upid = store.heap_graphs.upid[graph].row; upid != OptRow::kNull)
    state.add_int32(Field::kPid, static_cast<int32_t>(store.processes.pid[upid]));
  const HeapGraphOomeTable& details = store.heap_graph_oomes;
  const uint32_t row = row_of_graph(details, graph);
  if (row == kNone) return;
  const auto bytes = [&](uint32_t number, int64_t value) {
    state.add_uint64(number, static_cast<uint64_t>(value));
  };
  bytes(Field::kOomAllocationSize, details.allocation_size_bytes[row]);
  bytes(Field::kOomTotalBytesFree, details.total_bytes_free[row]);
  bytes(Field::kOomFreeBytesUntilOom, details.free_bytes_until_oom[row]);
  if (details.error_msg[row])
    add_text(state, Field::kOomErrorMsg, text(store, details.error_msg[row]));
  const HeapGraphThreadCallsiteTable& stacks = store.heap_graph_thread_callsites;
  const uint32_t stack_row = row_of_graph(stacks, graph);
  if (stack_row == kNone) return;
  protozero::pbf_writer stack(state, Field::kOomThreadJavaStack);
  for (uint32_t callsite = stacks.callsite_id[stack_row].row; callsite != OptRow::kNull;
       callsite = store.stack_callsites.parent_id[callsite].row)
    write_frame(store, store.stack_callsites.frame_id[callsite], stack);
}

}  // namespace tracebraid::perfetto
