#include "merge/align/spans.h"

#include <absl/container/flat_hash_map.h>

#include <tuple>
#include <utility>

#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

using SpanKind = ServiceSpan::Kind;

class SpanLinker {
 public:
  explicit SpanLinker(const ServiceSpans& all) : all_(all) {
    for (const ServiceSpan& span : all.spans) {
      if (span.id == 0) continue;
      ById& found = by_id_[{span.trace, span.id}];
      if (found.count < 2) found.spans[found.count] = &span;
      ++found.count;
    }
  }

  CauseLinks link() && {
    for (const ServiceSpan& span : all_.spans) {
      const ServiceSpan* parent = parent_of(span);
      if (parent != nullptr && parent->recording != span.recording && !is_in_cycle(span))
        add(*parent, span);
    }
    for (const auto& [id, found] : by_id_) {
      if (found.count != 2) continue;
      const ServiceSpan &a = *found.spans[0], &b = *found.spans[1];
      if (a.kind == SpanKind::Client && b.kind == SpanKind::Server) add(a, b);
      if (b.kind == SpanKind::Client && a.kind == SpanKind::Server) add(b, a);
    }
    sort_links(links_);
    return std::move(links_);
  }

 private:
  // The spans of one id: the first two, and how many there are.
  struct ById {
    const ServiceSpan* spans[2] = {};
    size_t count = 0;
  };

  const ServiceSpan* parent_of(const ServiceSpan& span) const {
    const auto at = span.parent == 0 ? by_id_.end() : by_id_.find({span.trace, span.parent});
    return at != by_id_.end() && at->second.count == 1 ? at->second.spans[0] : nullptr;
  }

  // Whether the span is its own ancestor, or has so many that nothing is known of it.
  bool is_in_cycle(const ServiceSpan& span) const {
    constexpr int kMostAncestors = 256;
    const ServiceSpan* at = parent_of(span);
    for (int i = 0; at != nullptr && i < kMostAncestors; ++i, at = parent_of(*at))
      if (at == &span || (span.id != 0 && at->id == span.id && at->trace == span.trace))
        return true;
    return at != nullptr;
  }

  void add(const ServiceSpan& parent, const ServiceSpan& child) {
    CauseLink link{.key = mix(mix(mix(1, parent.trace), parent.id), child.id),
                   .id = child.id != 0 ? child.id : parent.id,
                   .is_global = parent.is_global && child.is_global};
    add_link(parent.recording, parent.begin, child.recording, child.begin, link, all_.recordings,
             links_);
    const bool is_within = parent.kind == SpanKind::Client && child.kind == SpanKind::Server;
    if (!is_within || !parent.has_end || !child.has_end) return;
    link.key = mix(link.key, 1);
    add_link(child.recording, child.end, parent.recording, parent.end, link, all_.recordings,
             links_);
  }

  const ServiceSpans& all_;
  absl::flat_hash_map<std::pair<uint64_t, uint64_t>, ById> by_id_;  // by trace and id
  CauseLinks links_;
};

}  // namespace

CauseLinks link_spans(const ServiceSpans& all) { return SpanLinker(all).link(); }

}  // namespace tracebraid::align
