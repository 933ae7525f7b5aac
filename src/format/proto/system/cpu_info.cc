// CpuInfo (spec proto 6.3).
#include <algorithm>
#include <numeric>
#include <vector>

#include "format/common/proto_wire.h"
#include "format/proto/args/args.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

constexpr size_t kMaxCpus = 4096;  // rows of a machine (spec clocks 4)
constexpr uint64_t kMteFeature = 1, kMte3Feature = 2;

void add_arm_args(Message fields, EventSink& sink) {
  using Field = field::CpuInfo_ArmCpuIdentifier;
  while (fields.next()) {
    std::string_view key;
    if (fields.number() == Field::kImplementer) key = "arm_cpu_implementer";
    if (fields.number() == Field::kArchitecture) key = "arm_cpu_architecture";
    if (fields.number() == Field::kVariant) key = "arm_cpu_variant";
    if (fields.number() == Field::kPart) key = "arm_cpu_part";
    if (fields.number() == Field::kRevision) key = "arm_cpu_revision";
    if (!key.empty()) add_int(key, fields.u32(), sink, ArgType::Uint);
  }
}

void add_features(uint64_t features, uint32_t machine, EventSink& sink) {
  if ((features & kMteFeature) != 0) add_int("cpu_features.mte", 1, sink, ArgType::Bool);
  if ((features & kMte3Feature) != 0) add_int("cpu_features.mte3", 1, sink, ArgType::Bool);
  if (features != 0)
    add_int("cpu_features.raw_bitmap", static_cast<int64_t>(features), sink, ArgType::Uint);
  if ((features & ~(kMteFeature | kMte3Feature)) != 0)
    sink.tally(stats::cpu_info_unknown_cpu_features, 1, machine);
}

CpuFacts read_cpu(uint32_t machine, uint32_t cpu, Message fields, EventSink& sink) {
  using Field = field::CpuInfo_Cpu;
  CpuFacts facts{.machine = machine, .cpu = cpu, .processor = {}, .frequencies = {}};
  uint64_t features = 0;
  sink.open_args();
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kProcessor:
        facts.processor = sink.string(fields.bytes());
        break;
      case Field::kFrequencies:
        for_each_varint(
            fields, [&](uint64_t khz) { facts.frequencies.push_back(static_cast<uint32_t>(khz)); });
        break;
      case Field::kCapacity:
        facts.capacity = fields.u32();
        break;
      case Field::kArmIdentifier:
        add_arm_args(fields.message(), sink);
        break;
      case Field::kFeatures:
        features = fields.u64();
        break;
      default:
        break;
    }
  }
  add_features(features, machine, sink);
  facts.args = sink.close_args();
  return facts;
}

// Numbers clusters: CPUs of equal capacity are a cluster; the weakest is number 0.
void number_clusters(std::vector<CpuFacts>& cpus) {
  const bool have_capacity =
      std::ranges::all_of(cpus, [](const CpuFacts& cpu) { return cpu.capacity >= 0; });
  if (have_capacity)
    std::ranges::stable_sort(cpus, {}, &CpuFacts::capacity);
  else
    std::ranges::stable_sort(cpus, {}, &CpuFacts::frequencies);
  int64_t cluster = 0;
  for (size_t i = 0; i < cpus.size(); ++i) {
    if (i > 0) {
      const bool differs = have_capacity ? cpus[i].capacity != cpus[i - 1].capacity
                                         : cpus[i].frequencies != cpus[i - 1].frequencies;
      cluster += differs ? 1 : 0;
    }
    cpus[i].cluster_id = cluster;
  }
}

}  // namespace

void read_cpu_info(uint32_t machine, std::string_view message, EventSink& sink) {
  std::vector<CpuFacts> cpus;
  for (Message fields(message); fields.next();)
    if (fields.number() == field::CpuInfo::kCpus && cpus.size() < kMaxCpus)
      cpus.push_back(read_cpu(machine, static_cast<uint32_t>(cpus.size()), fields.message(), sink));
  if (cpus.empty()) sink.tally(stats::cpu_info_empty, 1, machine);
  number_clusters(cpus);
  std::vector<CpuFacts>& all = sink.batch().cpus;
  all.insert(all.end(), cpus.begin(), cpus.end());
}

}  // namespace tracebraid::proto
