#include "assemble/json/contexts.h"
#include "event/stats.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace tracebraid {
namespace {

// Most contexts of a thread at once: each of its slices has a row for each.
constexpr size_t kMaxActive = 128;

}  // namespace

void JsonContexts::note(const JsonEvent& at, Step::Kind kind) {
  const JsonId& id = id_at(at.from, at.event.extra);
  steps_.push_back({.sequence = at.sequence,
                    .kind = kind,
                    .utid = identity_.thread(at.event.track),
                    .ts = at.event.ts,
                    .machine = at.machine,
                    .type = at.event.name,
                    .spelling = id.spelling,
                    .key = key_of(at.from, id, identity_),
                    .arg_set_id = args_.set({at.batch, at.event.args})});
}

void JsonContexts::remove(const JsonEvent& at, const JsonKey& key) {
  steps_.push_back({.sequence = at.sequence,
                    .kind = Step::Kind::Remove,
                    .utid = 0,
                    .ts = at.event.ts,
                    .machine = at.machine,
                    .type = {},
                    .spelling = {},
                    .key = key});
}

void JsonContexts::slice(uint32_t slice, uint32_t utid, uint64_t sequence) {
  steps_.push_back({.sequence = sequence,
                    .kind = Step::Kind::Slice,
                    .utid = utid,
                    .slice = slice,
                    .type = {},
                    .spelling = {},
                    .key = {}});
}

void JsonContexts::finish(const std::vector<uint32_t>& new_rows, const JsonObjects& objects) {
  std::ranges::stable_sort(steps_, {}, &Step::sequence);
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::Enter:
        enter(step, objects);
        break;
      case Step::Kind::Leave:
        leave(step);
        break;
      case Step::Kind::Remove:
        remove(step);
        break;
      case Step::Kind::Slice:
        add_slice(step, new_rows.empty() ? step.slice : new_rows[step.slice]);
        break;
    }
  }
  steps_ = {};
  stacks_ = {};
  entered_ = {};
}

void JsonContexts::enter(const Step& step, const JsonObjects& objects) {
  Stack& stack = stacks_[step.utid];
  if (stack.size() >= kMaxActive)
    return problems_.count_at(stats::context_parse_error, step.machine, step.key.file, step.ts);
  JsonContextTable& table = store_.json.contexts;
  const auto row = static_cast<uint32_t>(table.rows());
  const JsonObjects::Found object = objects.find(step.key, step.ts);
  table.object_id.append(step.spelling);
  table.scope.append(step.key.scope);
  table.upid.append({step.key.upid});
  table.type_name.append(step.type);
  table.utid.append(step.utid);
  table.enter_ts.append(step.ts);
  table.leave_ts.append({});
  table.instance_id.append({object.instance});
  table.snapshot_id.append({object.snapshot});
  stack.push_back({step.type, step.key, row});
  keys_.push_back(step.key);
  entered_[step.key].push_back(step.utid);
  if (step.arg_set_id != OptRow::kNull) sets_.push_back({row, step.arg_set_id, step.key.file});
}

// Also ends contexts of the type that were entered after it.
void JsonContexts::leave(const Step& step) {
  Stack& stack = stacks_[step.utid];
  const auto is_it = [&](const Active& active) {
    return active.type == step.type && active.key == step.key;
  };
  const auto found = std::find_if(stack.rbegin(), stack.rend(), is_it);
  if (found == stack.rend())
    return problems_.count_at(stats::context_parse_error, step.machine, step.key.file, step.ts);
  const auto first = static_cast<ptrdiff_t>(stack.rend() - found) - 1;
  const auto is_left = [&](const Active& active) {
    const bool left = active.type == step.type && &active - stack.data() >= first;
    if (left) end(active, step.ts);
    return left;
  };
  std::vector<Active> kept;
  for (const Active& active : stack)
    if (!is_left(active)) kept.push_back(active);
  stack = std::move(kept);
}

void JsonContexts::remove(const Step& step) {
  const auto at = entered_.find(step.key);
  if (at == entered_.end()) return;
  for (const uint32_t utid : at->second)
    std::erase_if(stacks_[utid], [&](const Active& active) {
      if (active.key == step.key) end(active, step.ts);
      return active.key == step.key;
    });
  entered_.erase(at);
}

// Adds a row for the innermost context of each type, by type and id.
void JsonContexts::add_slice(const Step& step, uint32_t row) {
  const auto at = stacks_.find(step.utid);
  if (at == stacks_.end() || at->second.empty()) return;
  std::vector<const Active*> active;
  for (const Active& one : at->second) {
    const auto same = std::ranges::find(active, one.type, &Active::type);
    if (same == active.end())
      active.push_back(&one);
    else
      *same = &one;
  }
  const StringPool& strings = store_.strings;
  std::ranges::sort(active, {}, [&](const Active* one) {
    return std::tuple(strings.get(one->type), strings.get(one->key.canonical));
  });
  for (const Active* one : active) {
    store_.json.slice_contexts.slice_id.append(row);
    store_.json.slice_contexts.context_id.append(one->row);
  }
}

}  // namespace tracebraid
