// Trace Event JSON as a browser writes it: complete events when they end, some
// threads with B and E, requests as nestable async events, counters, flows.
#include "generate/chrome_json.h"

#include "generate/generate.h"
#include "generate/json_text.h"
#include "generate/pump.h"

namespace tracebraid::generate {
namespace {

void append_args(const WorkloadEvent& h, std::string& out) {
  out += R"(,"args":{)";
  for (uint32_t i = 0; i < h.arg_count; ++i) {
    if (i > 0) out += ',';
    append_quoted(out, h.args[i].key);
    out += ':';
    if (h.args[i].text.empty())
      append(out, FMT_COMPILE("{}"), h.args[i].number);
    else
      append_quoted(out, h.args[i].text);
  }
  out += '}';
}

void append_name(const WorkloadEvent& h, std::string& out) {
  append(out, FMT_COMPILE(R"(,"cat":"{}","name":"{}")"), h.category, h.name);
}

bool is_async(const WorkloadEvent& h) { return h.name == "ResourceRequest"; }
bool writes_begin_and_end(uint32_t thread) { return thread % 4 == 3; }

}  // namespace

void ChromeJsonWriter::names(std::string& out) const {
  for (const Process& process : workload_.processes()) {
    append(out, FMT_COMPILE(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":)"),
           process.pid);
    append_quoted(out, process.name);
    out += "}},\n";
  }
  for (const Thread& thread : workload_.threads()) {
    append(out,
           FMT_COMPILE(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":)"),
           workload_.processes()[thread.process].pid, thread.tid);
    append_quoted(out, thread.name);
    out += "}},\n";
  }
}

void ChromeJsonWriter::head(char phase, int64_t ts, uint32_t thread, std::string& out) const {
  const Thread& t = workload_.threads()[thread];
  append(out, FMT_COMPILE(R"({{"ph":"{}","pid":{},"tid":{},"ts":)"), phase,
         workload_.processes()[t.process].pid, t.tid);
  append_us(out, ts - zero_ns_);
}

// Writes a flow event at the begin of a slice.
void ChromeJsonWriter::arrows(const WorkloadEvent& h, std::string& out) const {
  uint64_t id = h.flow_out != 0 ? h.flow_out : h.flow_in;
  if (id == 0) return;
  head(h.flow_out != 0 ? 's' : 'f', h.begin_ts, h.thread, out);
  append(out, FMT_COMPILE(R"(,"cat":"flow","name":"post","id":{}{}}})"), id,
         h.flow_out != 0 ? "" : R"(,"bp":"e")");
  out += ",\n";
}

void ChromeJsonWriter::slice(const WorkloadEvent& h, std::string& out) const {
  bool begins = h.what == What::Begin;
  if (is_async(h) || writes_begin_and_end(h.thread)) {
    char phase = is_async(h) ? (begins ? 'b' : 'e') : (begins ? 'B' : 'E');
    head(phase, h.ts, h.thread, out);
    append_name(h, out);
    if (is_async(h)) append(out, FMT_COMPILE(R"(,"id":"{:#x}")"), h.begin_ts);
    if (begins) append_args(h, out);
  } else {
    if (begins) return;  // written when it ends
    head('X', h.begin_ts, h.thread, out);
    out += R"(,"dur":)";
    append_us(out, h.ts - h.begin_ts);
    append_name(h, out);
    append_args(h, out);
  }
  out += "},\n";
  if (!is_async(h) && begins == writes_begin_and_end(h.thread)) arrows(h, out);
}

void ChromeJsonWriter::write(const WorkloadEvent& h, std::string& out) const {
  switch (h.what) {
    case What::Begin:
    case What::End:
      return slice(h, out);
    case What::Instant:
      head('I', h.ts, h.thread, out);
      append_name(h, out);
      out += R"(,"s":"t"},)";
      break;
    case What::Counter:
      head('C', h.ts, h.thread, out);
      append(out, FMT_COMPILE(R"(,"name":"{}","args":{{"value":{}}}}},)"), h.name, h.value);
      break;
    case What::Waking:
    case What::Switch:
      return;  // not visible to a browser
  }
  out += '\n';
}

void write_chrome_json(const Order& order, Output& out) {
  Workload workload({.seed = order.seed, .start_ns = 812'000'000'000}, browser_words());
  ChromeJsonWriter writer(workload, 0);
  out.buffer() += "{\"traceEvents\":[\n";
  writer.names(out.buffer());
  pump(workload, {}, {.bytes = order.bytes}, out,
       [&](const WorkloadEvent& h) { writer.write(h, out.buffer()); });
  // The last element has no trailing comma.
  out.buffer() += R"({"ph":"M","pid":1000,"name":"process_labels","args":{"labels":"generated"}}])";
  out.buffer() += ",\n\"displayTimeUnit\":\"ms\"}\n";
}

}  // namespace tracebraid::generate
