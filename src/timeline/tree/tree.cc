#include "timeline/tree/tree.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "timeline/tree/type_groups.h"

namespace tracebraid::timeline {
namespace {

constexpr std::string_view kGroupingNames[kGroupings] = {"machine_file", "machine", "type", "flat"};
constexpr std::string_view kNodeTypeNames[] = {"machine", "file",  "process",
                                               "thread",  "group", "track"};

std::string_view text(const Store& store, StringId id) {
  return id ? store.strings.get(id) : std::string_view();
}

// Returns the value of an int arg of a set, 0 without one.
int64_t sort_index(const Store& store, OptRow set, std::string_view key) {
  const StringId id = store.strings.find(key);
  if (set.row == OptRow::kNull || !id) return 0;
  const std::optional<ArgRow> arg = store.args.find(set.row, id);
  return arg && is_integer_arg(arg->type) ? arg->value : 0;
}

std::string escaped(std::string_view part) {
  std::string to;
  for (const char c : part) {
    if (c == '/' || c == '%')
      to += c == '/' ? "%2F" : "%25";
    else
      to += c;
  }
  return to;
}

// Returns a text whose order is that of the title with its numbers by value: CPU 2 before CPU 10.
std::string with_padded_numbers(std::string_view title) {
  constexpr size_t kDigits = 20;
  std::string to;
  for (size_t at = 0; at < title.size();) {
    size_t end = at;
    while (end < title.size() && title[end] >= '0' && title[end] <= '9') ++end;
    if (end > at && end - at < kDigits) to.append(kDigits - (end - at), '0');
    if (end == at) ++end;
    to += title.substr(at, end - at);
    at = end;
  }
  return to;
}

// A node before the nodes are in order.
struct Draft {
  TreeNode node;
  size_t above = ~size_t{0};  // index of the draft above
  std::string component;      // of the key
  // Siblings are in the order of these.
  int rank = 0;
  int64_t index = 0;
  bool is_unnamed = false;
  std::string sort_title;  // set before sorting
  int64_t number = 0;

  auto order() const { return std::tie(rank, index, is_unnamed, sort_title, number); }
};

class TreeMaker {
 public:
  TreeMaker(const Store& store, const std::vector<TreeTrack>& tracks, Grouping grouping)
      : store_(store), tracks_(tracks), grouping_(grouping) {
    find_files();
    find_quiet();
  }

  Tree make(uint32_t first_number) {
    if (has_machines())
      for (uint32_t upid = 0; upid < store_.processes.rows(); ++upid)
        if (!files_of_process_.contains(upid)) process(upid, {});
    for (uint32_t track = 0; track < tracks_.size(); ++track) add_track(track);
    if (has_machines()) add_idle_threads();
    nest_tracks();
    return arrange(first_number);
  }

 private:
  static constexpr size_t kRoot = ~size_t{0}, kDeepest = 64;
  static constexpr uint32_t kNone = OptRow::kNull, kManyQuiet = 8;

  bool has_machines() const {
    return grouping_ == Grouping::MachineFile || grouping_ == Grouping::Machine;
  }

  // Finds the machines that have several files, and the files that show each process.
  void find_files() {
    std::map<uint32_t, std::set<uint32_t>> of_machines;
    for (const TreeTrack& track : tracks_) {
      if (track.file.row == kNone) continue;
      of_machines[machine_of(track)].insert(track.file.row);
      if (track.upid.row != kNone) files_of_process_[track.upid.row].insert(track.file.row);
    }
    for (const auto& [machine, files] : of_machines)
      if (files.size() > 1) divided_.insert(machine);
  }
  // Finds the processes, and the threads without a process, that have events but no track of a
  // file: thread states and samples. Those of a machine where others have tracks are below one
  // group, if they are many, because a recording of a scheduler names every process.
  void find_quiet() {
    std::vector<Activity> of_processes(store_.processes.rows());
    std::vector<Activity> of_threads(store_.threads.rows());
    std::set<uint32_t> with_tracks;
    for (const TreeTrack& track : tracks_) {
      const Activity activity = track.file.row == kNone ? Activity::Quiet : Activity::Tracks;
      if (activity == Activity::Tracks) with_tracks.insert(machine_of(track));
      Activity* of = nullptr;
      if (track.upid.row != kNone)
        of = &of_processes[track.upid.row];
      else if (track.utid.row != kNone)
        of = &of_threads[track.utid.row];
      if (of) *of = std::max(*of, activity);
    }
    mark_quiet(of_processes, store_.processes.machine_id, with_tracks, quiet_processes_);
    mark_quiet(of_threads, store_.threads.machine_id, with_tracks, quiet_threads_);
  }
  enum class Activity : uint8_t { None, Quiet, Tracks };
  template <class Machines>
  static void mark_quiet(const std::vector<Activity>& all, const Machines& machines,
                         const std::set<uint32_t>& with_tracks, std::vector<bool>& quiet) {
    std::map<uint32_t, uint32_t> counts;
    for (uint32_t row = 0; row < all.size(); ++row)
      if (all[row] == Activity::Quiet) ++counts[machines[row]];
    quiet.resize(all.size());
    for (uint32_t row = 0; row < all.size(); ++row)
      quiet[row] = all[row] == Activity::Quiet && with_tracks.contains(machines[row]) &&
                   counts[machines[row]] >= kManyQuiet;
  }
  uint32_t machine_of(const TreeTrack& track) const {
    return track.machine.row == kNone ? store_.timeline_machine : track.machine.row;
  }

  TimeBound bound(OptRow file, OptRow machine) {
    const auto [at, is_new] = bounds_.try_emplace({file.row, machine.row});
    if (is_new) at->second = bound_of(store_, file, machine);
    return at->second;
  }

  // Returns the draft of a key, which is made on first use.
  template <class Make>
  size_t folder(NodeType type, size_t above, uint32_t row, std::string_view name, Make make) {
    const auto [at, is_new] =
        folders_.try_emplace({type, above, row, std::string(name)}, drafts_.size());
    if (is_new) {
      Draft draft = make();
      draft.node.type = type;
      draft.above = above;
      drafts_.push_back(std::move(draft));
    }
    return at->second;
  }

  size_t machine(uint32_t row) {
    return folder(NodeType::Machine, kRoot, row, "", [&] {
      Draft draft{.component = escaped(machine_title(store_, row)), .number = row};
      draft.index = row;
      draft.node.title = machine_title(store_, row);
      draft.node.machine = {row};
      draft.node.bound = bound({}, {row});
      return draft;
    });
  }
  // Returns the folder of a machine, or of one of its files.
  size_t machine_or_file(uint32_t row, OptRow file) {
    const size_t above = machine(row);
    if (grouping_ != Grouping::MachineFile || file.row == kNone || !divided_.contains(row))
      return above;
    return folder(NodeType::File, above, file.row, "", [&] {
      const std::string_view path = text(store_, store_.files.path[file.row]);
      Draft draft{.component = escaped(path), .rank = 45, .number = file.row};
      draft.node.title = path.substr(path.rfind('/') + 1);
      draft.node.detail = path;
      draft.node.machine = {row};
      draft.node.file = file;
      draft.node.bound = bound(file, {row});
      return draft;
    });
  }
  size_t process(uint32_t upid, OptRow file) {
    const ProcessTable& processes = store_.processes;
    if (const auto files = files_of_process_.find(upid);
        file.row == kNone && files != files_of_process_.end())
      file = {*files->second.begin()};
    size_t above = machine_or_file(processes.machine_id[upid], file);
    if (quiet_processes_[upid]) above = group(above, "Other processes", 55);
    return folder(NodeType::Process, above, upid, "", [&] {
      const std::string_view name = text(store_, processes.name[upid]);
      const OptRow args = processes.arg_set_id[upid];
      Draft draft{.component = fmt::format("{}#{}", escaped(name), processes.pid[upid]),
                  .rank = 50,
                  .index = sort_index(store_, args, "process_sort_index_hint"),
                  .is_unnamed = name.empty(),
                  .number = processes.pid[upid]};
      draft.node.title = process_title(store_, upid);
      draft.node.detail = text(store_, processes.cmdline[upid]);
      draft.node.machine = {processes.machine_id[upid]};
      draft.node.file = file;
      draft.node.upid = {upid};
      draft.node.bound = drafts_[above].node.bound;
      return draft;
    });
  }
  size_t thread(uint32_t utid, OptRow file) {
    const ThreadTable& threads = store_.threads;
    const OptRow upid = threads.upid[utid];
    size_t above = upid.row == kNone ? machine_or_file(threads.machine_id[utid], file)
                                     : process(upid.row, file);
    if (upid.row == kNone && quiet_threads_[utid]) above = group(above, "Other threads", 65);
    return folder(NodeType::Thread, above, utid, "", [&] {
      const std::string_view name = text(store_, threads.name[utid]);
      const OptRow args = threads.arg_set_id[utid];
      Draft draft{.component = fmt::format("{}#{}", escaped(name), threads.tid[utid]),
                  .rank = 60,
                  .index = sort_index(store_, args, "thread_sort_index_hint"),
                  .number = threads.tid[utid]};
      draft.node.title = thread_title(store_, utid);
      draft.node.detail = fmt::format("tid {}", threads.tid[utid]);
      draft.node.machine = {threads.machine_id[utid]};
      draft.node.file = drafts_[above].node.file;
      draft.node.upid = upid;
      draft.node.utid = {utid};
      draft.node.bound = drafts_[above].node.bound;
      return draft;
    });
  }
  size_t group(size_t above, std::string_view title, int rank) {
    return folder(NodeType::Group, above, 0, title, [&] {
      Draft draft{.component = escaped(title), .rank = rank};
      draft.node.title = title;
      if (above != kRoot) {
        draft.node.machine = drafts_[above].node.machine;
        draft.node.file = drafts_[above].node.file;
        draft.node.bound = drafts_[above].node.bound;
      }
      return draft;
    });
  }

  size_t folder_of(const TreeTrack& track) {
    if (grouping_ == Grouping::Flat) return kRoot;
    if (grouping_ == Grouping::Type)
      return group(kRoot, track.kind(), static_cast<int>(track.table));
    if (track.utid.row != kNone) return thread(track.utid.row, track.file);
    if (track.upid.row != kNone) return process(track.upid.row, track.file);
    const size_t above = machine_or_file(machine_of(track), track.file);
    std::string_view type = text(store_, track.type);
    if (track.ucpu.row != kNone) type = track.table == TableKind::Ftrace ? "linux_" : "cpu";
    const std::optional<TypeGroup> of_type = group_of_type(type);
    return of_type ? group(above, of_type->title, of_type->rank) : above;
  }

  // Returns the place among tracks of one folder.
  static int rank_of(const TreeTrack& track) {
    switch (track.table) {
      case TableKind::Dump:
        return 9;
      case TableKind::Snapshot:
        return 10;
      case TableKind::ThreadState:
        return 11;
      case TableKind::Sched:
        return 12;
      case TableKind::Counter:
        return track.utid.row == kNone ? 20 : 40;
      case TableKind::Slice:
        return track.is_async ? 31 : 30;
      default:
        return 32;
    }
  }
  void add_track(uint32_t number) {
    const TreeTrack& track = tracks_[number];
    const size_t above = folder_of(track);
    Draft draft{.above = above,
                .component = fmt::format("{}:{}", track.kind(), escaped(track.title)),
                .rank = rank_of(track),
                .number = track.ucpu.row != kNone ? track.ucpu.row : number};
    if (track.ucpu.row != kNone) draft.index = track.ucpu.row;
    TreeNode& node = draft.node;
    node.type = NodeType::Track;
    node.number = number;
    node.title = track.title;
    node.detail = track.detail;
    node.machine = {machine_of(track)};
    node.file = track.file;
    node.upid = track.upid;
    node.utid = track.utid;
    node.ucpu = track.ucpu;
    node.events = track.events;
    node.first = track.first;
    node.last = track.last;
    if (above != kRoot && drafts_[above].node.machine.row == node.machine.row)
      node.bound = drafts_[above].node.bound;
    else
      node.bound = bound(track.file, node.machine);
    if (track.track.row != kNone)
      for (const uint32_t row : track.rows_of_track()) of_rows_[row] = drafts_.size();
    drafts_.push_back(std::move(draft));
  }

  // Shows processes and threads without tracks, too: viewers count them.
  void add_idle_threads() {
    for (uint32_t utid = 0; utid < store_.threads.rows(); ++utid) thread(utid, {});
  }

  // Hangs tracks below the tracks that they are part of, if both are of one folder.
  void nest_tracks() {
    if (!has_machines()) return;
    std::vector<size_t> above(drafts_.size(), kRoot);
    std::vector<std::pair<size_t, size_t>> nested;
    for (const TreeTrack& track : tracks_) {
      if (track.track.row == kNone || track.parent.row == kNone) continue;
      const auto parent = of_rows_.find(track.parent.row);
      const size_t child = of_rows_.at(track.track.row);
      if (parent == of_rows_.end() || parent->second == child) continue;
      if (drafts_[parent->second].above == drafts_[child].above) above[child] = parent->second;
    }
    for (size_t child = 0; child < above.size(); ++child) {
      // Cycles and very deep trees stay flat.
      size_t steps = 0;
      for (size_t at = child; at != kRoot && steps <= kDeepest; at = above[at]) ++steps;
      if (above[child] != kRoot && steps <= kDeepest) nested.emplace_back(child, above[child]);
    }
    for (const auto& [child, parent] : nested) drafts_[child].above = parent;
  }

  Tree arrange(uint32_t first_number) {
    std::map<size_t, std::vector<size_t>> below;
    for (Draft& draft : drafts_)
      draft.sort_title = draft.node.type == NodeType::Track || draft.node.type == NodeType::File
                             ? with_padded_numbers(draft.node.title)
                             : draft.node.title;
    for (size_t draft = 0; draft < drafts_.size(); ++draft)
      below[drafts_[draft].above].push_back(draft);
    for (auto& [above, drafts] : below)
      std::ranges::sort(drafts, [&](size_t a, size_t b) {
        const auto order = drafts_[a].order() <=> drafts_[b].order();
        return order == 0 ? a < b : order < 0;
      });
    Tree tree;
    append_below(below, kRoot, kNoNode, 0, tree, first_number);
    return tree;
  }
  void append_below(std::map<size_t, std::vector<size_t>>& below, size_t above, uint32_t parent,
                    uint32_t level, Tree& tree, uint32_t& next_number) {
    const auto found = below.find(above);
    if (found == below.end()) return;
    for (const size_t draft : found->second) {
      const auto index = static_cast<uint32_t>(tree.nodes.size());
      TreeNode node = std::move(drafts_[draft].node);
      if (node.type != NodeType::Track) node.number = next_number++;
      node.parent = parent;
      node.level = level;
      const std::string key = parent == kNoNode
                                  ? drafts_[draft].component
                                  : tree.nodes[parent].key + "/" + drafts_[draft].component;
      node.key = key;
      // Thousands of tracks may have one key: the count goes on after the last one.
      if (tree.by_key.contains(key))
        for (uint32_t& ordinal = ordinals_[key]; tree.by_key.contains(node.key);)
          node.key = fmt::format("{}~{}", key, 2 + ordinal++);
      tree.by_key[node.key] = index;
      tree.by_number[node.number] = index;
      if (node.type == NodeType::Process) tree.of_processes[node.upid.row].push_back(index);
      tree.nodes.push_back(std::move(node));
      append_below(below, draft, index, level + 1, tree, next_number);
      add_up(tree, index);
    }
  }
  // Adds the events of direct children.
  static void add_up(Tree& tree, uint32_t index) {
    TreeNode& node = tree.nodes[index];
    node.end = static_cast<uint32_t>(tree.nodes.size());
    for (uint32_t child = index + 1; child < node.end; child = tree.nodes[child].end) {
      node.events += tree.nodes[child].events;
      node.first = std::min(node.first, tree.nodes[child].first);
      node.last = std::max(node.last, tree.nodes[child].last);
    }
  }

  const Store& store_;
  const std::vector<TreeTrack>& tracks_;
  const Grouping grouping_;
  std::set<uint32_t> divided_;                               // machines with several files
  std::map<uint32_t, std::set<uint32_t>> files_of_process_;  // that have tracks of the process
  std::vector<bool> quiet_processes_, quiet_threads_;        // by row: below "Other ..."
  std::map<std::tuple<NodeType, size_t, uint32_t, std::string>, size_t> folders_;
  std::vector<Draft> drafts_;
  std::map<std::pair<uint32_t, uint32_t>, TimeBound> bounds_;  // by file and machine
  std::map<uint32_t, size_t> of_rows_;                         // drafts of rows of `track`
  absl::flat_hash_map<std::string, uint32_t> ordinals_;        // used with a key, beyond its first
};

}  // namespace

std::optional<Grouping> find_grouping(std::string_view name) {
  const auto* const at = std::ranges::find(kGroupingNames, name);
  if (at == std::end(kGroupingNames)) return std::nullopt;
  return static_cast<Grouping>(at - kGroupingNames);
}
std::string_view name_of(Grouping grouping) {
  return kGroupingNames[static_cast<size_t>(grouping)];
}
std::string_view name_of(NodeType type) { return kNodeTypeNames[static_cast<size_t>(type)]; }

Tree make_tree(const Store& store, const std::vector<TreeTrack>& tracks, Grouping grouping,
               uint32_t first_number) {
  return TreeMaker(store, tracks, grouping).make(first_number);
}

}  // namespace tracebraid::timeline
