// Ranks of one job with collective operations: worlds A1 to A4 of spec alignment 13. For tests.
#pragma once

#include <array>

#include "merge/align/world.h"

namespace tracebraid::located_files {

inline void add_metadata(File& file, std::string_view key, int64_t value) {
  file.batch.metadata.push_back({.key = file.batch.strings.intern(key), .value = value});
}

inline File rank_file(int rank, int world_size, std::string_view name = "rank") {
  File file(fmt::format("{}{}.json", name, rank), kJson);
  add_metadata(file, "json_distributedInfo.rank", rank);
  add_metadata(file, "json_distributedInfo.world_size", world_size);
  return file;
}

struct Kernel {
  std::string_view name = "allreduce", ranks = "[0, 1, 2, 3]";
  std::optional<int64_t> seq = 0;  // none: not numbered
  int64_t start = 0, end = 0, elements = 1024;
};

inline void add_arg(EventBatch& batch, std::string_view name, ArgType type, int64_t value,
                    bool is_last = false) {
  const StringId key = batch.strings.intern("args." + std::string(name));
  const ArgKey wanted{.flat_key = key, .key = key};
  auto at = std::ranges::find(batch.args.keys, wanted);
  if (at == batch.args.keys.end()) at = batch.args.keys.insert(at, wanted);
  batch.args.rows.push_back(
      {value, static_cast<uint32_t>(at - batch.args.keys.begin()), type, is_last});
}

inline void add_kernel(File& file, const Kernel& kernel) {
  EventBatch& batch = file.batch;
  file.event("ncclDevKernel", kernel.start);
  Event& event = batch.streams[0].events.back();
  event.kind = static_cast<uint8_t>(EventKind::Slice);
  event.category = batch.strings.intern("kernel");
  event.value = kernel.end - kernel.start;
  event.args = static_cast<uint32_t>(batch.args.rows.size());
  const auto text = [&](std::string_view name, std::string_view value) {
    add_arg(batch, name, ArgType::String, batch.strings.intern(value).row);
  };
  text("Collective name", kernel.name);
  text("Process Group Name", "0");
  text("Process Group Ranks", kernel.ranks);
  text("dtype", "Float");
  if (kernel.seq) add_arg(batch, "Seq", ArgType::Int, *kernel.seq);
  add_arg(batch, "In msg nelems", ArgType::Int, kernel.elements);
  add_arg(batch, "Out msg nelems", ArgType::Int, kernel.elements, true);
}

struct RankWorld : AlignWorld {
  int ranks = 2, operations = 300;
  double jitter = 5e3;      // of ends, ns
  bool is_numbered = true;  // operations have Seq
  double period = 0;        // of equal steps of eight operations, ns; 0: operations at any times
  double lost = 0;          // largest share of the operations that a file lost
  double cut = 0;           // largest share of the recording before and after which a file ends
  double other_run =
      0;  // noise of each step; greater than 0: ranks but the first are of another run
  double wall_error = -1;  // largest error of the wall clocks, ns; negative: no wall clocks
};

// Adds the files of the ranks and their operations, and probes in the part that all files have.
inline void simulate_ranks(RankWorld& world, WorldRandom& random) {
  std::string group = "[0";
  for (int rank = 1; rank < world.ranks; ++rank) group += fmt::format(", {}", rank);
  group += "]";
  struct TrueOperation {
    double start, end;
    int64_t elements;
    double shift;  // in the other run
  };
  std::array<double, 8> steps{};
  std::array<int64_t, 8> sizes{};
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i] = world.period * (static_cast<double>(i) + draw(random, 0.2, 0.8)) / 8;
    sizes[i] = int64_t{1024} << (random() % 6);
  }
  std::vector<TrueOperation> operations;
  double now = 2e9, shift = 0;
  for (size_t i = 0; i < static_cast<size_t>(world.operations); ++i) {
    const double before = now;
    now += draw(random, 1e6, 20e6);
    if (world.period > 0) now = 2e9 + world.period * static_cast<double>(i / 8) + steps[i % 8];
    shift += (now - before) * world.other_run * draw(random, -1.7, 1.7);
    const int64_t drawn = int64_t{1024} << (random() % 6);
    operations.push_back(
        {now, now + draw(random, 50e3, 500e3), world.period > 0 ? sizes[i % 8] : drawn, shift});
    if (world.period > 0) operations.back().end = now + 300e3;
  }
  const double begin = operations.front().start, length = now - begin;
  for (int rank = 0; rank < world.ranks; ++rank) {
    File& file = world.files.emplace_back(rank_file(rank, world.ranks));
    // Offsets up to 1 s against each other.
    const WorldClock& clock = world.clocks.emplace_back(draw_clock(random, 1e9));
    const double first = begin + length * draw(random, 0, world.cut);
    const double last = now - length * draw(random, 0, world.cut);
    const double lost = draw(random, 0, world.lost);
    for (size_t i = 0; i < operations.size(); ++i) {
      const TrueOperation& op = operations[i];
      if (op.start < first || op.start > last || draw(random, 0, 1) < lost) continue;
      const double late = rank == 0 ? 0 : op.shift;
      add_kernel(file, {.ranks = group,
                        .seq = world.is_numbered ? std::optional<int64_t>(i) : std::nullopt,
                        .start = clock.at(op.start + late - draw(random, 0, 900e3)),
                        .end = clock.at(op.end + late + draw(random, 0, world.jitter)),
                        .elements = op.elements});
    }
    if (world.wall_error >= 0)
      file.wall(clock.at(0), W + std::llround(draw(random, -0.5, 0.5) * world.wall_error));
  }
  world.first = begin + length * world.cut;
  world.last = now - length * world.cut;
  world.add_probes();
}

}  // namespace tracebraid::located_files
