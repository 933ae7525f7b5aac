// A machine-learning profile as PyTorch's profiler writes it: pretty-printed,
// operators on CPU threads, kernels on a GPU stream with long args, and arrows
// from each launch to its kernel. Times are relative to baseTimeNanoseconds.
#include <algorithm>

#include "generate/generate.h"
#include "generate/json_text.h"
#include "generate/pump.h"

namespace tracebraid::generate {
namespace {

using Words = std::string_view[];
constexpr Words kProcesses = {"python"};
constexpr Words kThreads = {"pt_autograd", "dataloader", "pin_memory"};
constexpr Words kOperators = {"aten::linear",
                              "aten::addmm",
                              "cudaLaunchKernel",
                              "aten::conv2d",
                              "aten::convolution",
                              "aten::batch_norm",
                              "cudaLaunchKernel",
                              "aten::relu_",
                              "aten::empty",
                              "aten::max_pool2d",
                              "aten::add_",
                              "cudaMemcpyAsync",
                              "autograd::engine::evaluate_function: AddmmBackward0",
                              "Optimizer.step#SGD.step",
                              "cudaLaunchKernel"};
constexpr Words kKernels = {
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, "
    "at::detail::Array<char*, 3>)",
    "ampere_sgemm_128x64_tn",
    "cudnn_infer_ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1",
    "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(float const*, float*)"};
constexpr Words kCategories = {"cpu_op"};
constexpr Words kCounters = {"Total Reserved"};
constexpr Words kKeys = {"n"};
constexpr Vocabulary kWords{kProcesses, kThreads, kOperators, kCategories,
                            kCounters,  kKernels, kKeys};

constexpr int64_t kStream = 7;
constexpr int64_t kBaseTime = 1'763'640'000'000'000'000;  // ns since 1970

struct Gpu {
  int64_t free_at = 0;  // ns; kernels of a stream run one after the other
  uint64_t correlation = 1;
  Random random{7};
};

void append_head(std::string& out, std::string_view phase, std::string_view category,
                 std::string_view name, int64_t pid, int64_t tid, int64_t ts) {
  append(out,
         FMT_COMPILE("  {{\n    \"ph\": \"{}\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, "
                     "\"tid\": {},\n    \"ts\": "),
         phase, category, name, pid, tid);
  append_us(out, ts);
}

void append_operator(std::string& out, const WorkloadEvent& h, int64_t pid, int64_t tid,
                     uint64_t index) {
  append_head(out, "X", h.name.starts_with("cuda") ? "cuda_runtime" : "cpu_op", h.name, pid, tid,
              h.begin_ts);
  out += ", \"dur\": ";
  append_us(out, h.ts - h.begin_ts);
  append(out,
         FMT_COMPILE(",\n    \"args\": {{\n      \"External id\": {}, \"Record function id\": 0, "
                     "\"Sequence number\": {}, \"Ev Idx\": {}\n    }}\n  }},\n"),
         index, index / 3, index);
}

void append_kernel(std::string& out, const WorkloadEvent& h, int64_t pid, int64_t tid, Gpu& gpu) {
  int64_t begin = std::max(gpu.free_at + 500, h.ts + gpu.random.spread(6000));
  int64_t length = gpu.random.spread(14'000);
  std::string_view name = kKernels[gpu.random.below(std::size(kKernels))];
  append_head(out, "X", "kernel", name, 0, kStream, begin);
  out += ", \"dur\": ";
  append_us(out, length);
  // Separate statements, because compilers differ in the order of evaluating arguments.
  const uint64_t occupancy = gpu.random.below(100);
  const uint64_t block = uint64_t{32} << gpu.random.below(6);
  const uint64_t grid = 1 + gpu.random.below(4000);
  const uint64_t blocks_rest = gpu.random.below(1000);
  const uint64_t blocks = gpu.random.below(30);
  const uint64_t shared_memory = 1024 * gpu.random.below(48);
  const uint64_t registers = 16 + gpu.random.below(100);
  append(
      out,
      FMT_COMPILE(",\n    \"args\": {{\n      \"External id\": {0}, \"queued\": 0, \"device\": 0, "
                  "\"context\": 1,\n      \"stream\": {1}, \"correlation\": {0}, \"registers per "
                  "thread\": {2}, \"shared memory\": {3},\n      \"blocks per SM\": {4}.{5},  "
                  "\"grid\": [{6}, 1, 1], \"block\": [{7}, 1, 1],\n      \"est. achieved "
                  "occupancy %\": {8}\n    }}\n  }},\n"),
      gpu.correlation, kStream, registers, shared_memory, blocks, blocks_rest, grid, block,
      occupancy);
  append_head(out, "s", "ac2g", "ac2g", pid, tid, h.begin_ts);
  append(out, FMT_COMPILE(", \"id\": {}\n  }},\n"), gpu.correlation);
  append_head(out, "f", "ac2g", "ac2g", 0, kStream, begin);
  append(out, FMT_COMPILE(", \"id\": {}, \"bp\": \"e\"\n  }},\n"), gpu.correlation);
  gpu.free_at = begin + length;
  ++gpu.correlation;
}

}  // namespace

void write_kineto_json(const Order& order, Output& out) {
  Workload workload({.seed = order.seed, .start_ns = 5'000'000, .processes = 1, .threads_each = 4},
                    kWords);
  int64_t pid = workload.processes()[0].pid;
  append(out.buffer(),
         FMT_COMPILE(
             "{{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {{\"id\": 0, \"name\": "
             "\"Imaginary GPU\", \"totalGlobalMem\": 25438126080, \"numSms\": 82}}\n  ],\n  "
             "\"baseTimeNanoseconds\": {},\n  \"traceEvents\": [\n"),
         kBaseTime);
  Gpu gpu;
  uint64_t index = 1;
  pump(workload, {}, {.bytes = order.bytes}, out, [&](const WorkloadEvent& h) {
    if (h.what != What::End) return;
    int64_t tid = workload.threads()[h.thread].tid;
    append_operator(out.buffer(), h, pid, tid, index++);
    if (h.name == "cudaLaunchKernel") append_kernel(out.buffer(), h, pid, tid, gpu);
  });
  append(out.buffer(),
         FMT_COMPILE("  {{\n    \"ph\": \"M\", \"name\": \"process_name\", \"pid\": {}, \"tid\": "
                     "0, \"ts\": 0,\n"
                     "    \"args\": {{\"name\": \"python\"}}\n  }}\n  ],\n  \"traceName\": "
                     "\"generated.pt.trace.json\"\n}}\n"),
         pid);
}

}  // namespace tracebraid::generate
