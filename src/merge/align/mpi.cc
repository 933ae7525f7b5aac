#include "merge/align/mpi.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "merge/align/counted.h"
#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

using CallsOf = std::vector<const MpiCall*>;

// The calls of one channel: those of each role and recording, in order of time.
struct Channel {
  std::map<uint32_t, CallsOf> sends, receives, collectives;
};

class MpiLinker {
 public:
  explicit MpiLinker(const MpiCalls& all) : all_(all) {
    for (const MpiCall& call : all.calls) {
      Channel& channel = channels_[call.channel];
      auto& of_role = call.role == MpiCall::Role::Send      ? channel.sends
                      : call.role == MpiCall::Role::Receive ? channel.receives
                                                            : channel.collectives;
      of_role[call.recording].push_back(&call);
    }
  }

  CauseLinks link() && {
    for (const auto& [key, channel] : channels_) {
      // Several recordings of one rank prove nothing.
      if (channel.sends.size() == 1 && channel.receives.size() == 1)
        add_messages(key, *channel.sends.begin(), *channel.receives.begin());
      if (channel.collectives.size() < 2) continue;
      const Entry& first = *channel.collectives.begin();
      for (auto at = std::next(channel.collectives.begin()); at != channel.collectives.end(); ++at)
        add_collectives(key, *at, first);
    }
    sort_links(links_);
    return std::move(links_);
  }

 private:
  using Entry = std::pair<const uint32_t, CallsOf>;

  // Calls use(call of a, call of b, link) for the pairs of a channel.
  template <class Use>
  static void for_pairs(uint64_t channel, const CallsOf& a, const CallsOf& b, Use use) {
    if (a.size() != b.size()) return;
    const auto are_same = [](const MpiCall* x, const MpiCall* y) {
      return x->what == 0 || y->what == 0 || x->what == y->what;
    };
    if (!std::ranges::equal(a, b, are_same)) return;
    for (size_t i = 0; i < a.size(); ++i) {
      const uint64_t key = mix(channel, i);
      use(*a[i], *b[i], CauseLink{.key = key, .id = key});
    }
  }

  void add_messages(uint64_t channel, const Entry& from, const Entry& to) {
    for_pairs(channel, from.second, to.second,
              [&](const MpiCall& sent, const MpiCall& received, const CauseLink& link) {
                if (received.has_end)
                  add_link(from.first, sent.begin, to.first, received.end, link, all_.recordings,
                           links_);
              });
  }

  void add_collectives(uint64_t channel, const Entry& a, const Entry& b) {
    for_pairs(channel, a.second, b.second,
              [&](const MpiCall& of_a, const MpiCall& of_b, const CauseLink& link) {
                add_link(a.first, of_a.begin, b.first, of_b.end, link, all_.recordings, links_);
                add_link(b.first, of_b.begin, a.first, of_a.end, link, all_.recordings, links_);
              });
  }

  const MpiCalls& all_;
  std::map<uint64_t, Channel> channels_;
  CauseLinks links_;
};

}  // namespace

CauseLinks link_mpi(const MpiCalls& all) { return MpiLinker(all).link(); }

std::vector<MatchSet> match_mpi(const MpiCalls& all, const Causes& causes,
                                const Trackers& trackers) {
  std::vector<MatchSet> sets = match_causes(causes, trackers);
  std::vector<bool> is_numbered;  // by set: the calls are all of both programs
  size_t i = 0;
  for (const auto& [of, links] : *causes.links) {
    const MpiFile& a = all.files.at(causes.recordings[of.first].file.row);
    const MpiFile& b = all.files.at(causes.recordings[of.second].file.row);
    MatchSet& set = sets[i++];
    is_numbered.push_back(a.is_whole && b.is_whole);
    if (a.rank != b.rank && (!a.world_size || !b.world_size || a.world_size == b.world_size))
      continue;
    set.reason = Reason::OtherJob;
    set.detail = a.rank == b.rank
                     ? fmt::format("both are rank {}", a.rank)
                     : fmt::format("{} ranks against {}", *a.world_size, *b.world_size);
  }
  prove_counted(causes, trackers, sets, is_numbered);
  return sets;
}

}  // namespace tracebraid::align
