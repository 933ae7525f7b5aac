// Facts about an Android device: packages, users, flags.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_PACKAGE_LIST_COLUMNS(C)                                     \
  C(package_name, StringId, None, "Name.")                             \
  C(uid, int64_t, None, "User id.")                                    \
  C(debuggable, int64_t, None, "1 if it can be debugged.")             \
  C(profileable_from_shell, int64_t, None, "1 if it can be profiled.") \
  C(version_code, int64_t, None, "Version.")
TB_TABLE(PackageListTable, "__intrinsic_package_list", "Installed Android packages.",
         TB_PACKAGE_LIST_COLUMNS, {"package_list"})

#define TB_GAME_MODE_COLUMNS(C, mode)                                        \
  C(mode##_mode_supported, OptInt, None, "1 if the game supports the mode.") \
  C(mode##_mode_downscale, double, None, "Scale of the resolution.")         \
  C(mode##_mode_use_angle, OptInt, None, "1 if it uses ANGLE.")              \
  C(mode##_mode_fps, double, None, "Limit of frames per second.")
#define TB_GAME_INTERVENTION_COLUMNS(C)                      \
  C(package_name, StringId, None, "Name.")                   \
  C(uid, OptInt, None, "User id.")                           \
  C(current_mode, OptInt, None, "Current mode of the game.") \
  TB_GAME_MODE_COLUMNS(C, standard)                          \
  TB_GAME_MODE_COLUMNS(C, perf)                              \
  TB_GAME_MODE_COLUMNS(C, battery)
TB_TABLE(GameInterventionTable, "__intrinsic_android_game_intervention_list",
         "Game modes of Android.", TB_GAME_INTERVENTION_COLUMNS, {"android_game_intervention_list"})

#define TB_USER_LIST_COLUMNS(C)            \
  C(type, StringId, None, "Kind of user.") \
  C(android_user_id, int64_t, None, "Number of the user.")
TB_TABLE(UserListTable, "__intrinsic_android_user_list", "Users of an Android device.",
         TB_USER_LIST_COLUMNS)

#define TB_AFLAG_COLUMNS(C)                                        \
  C(ts, int64_t, Sorted, "ns.")                                    \
  C(package, StringId, None, "Package.")                           \
  C(name, StringId, None, "Flag.")                                 \
  C(flag_namespace, StringId, None, "Namespace.")                  \
  C(container, StringId, None, "Container.")                       \
  C(value, StringId, None, "Value.")                               \
  C(staged_value, StringId, None, "Value after the next boot.")    \
  C(permission, StringId, None, "Permission needed to change it.") \
  C(value_picked_from, StringId, None, "Source of the value.")     \
  C(storage_backend, StringId, None, "Storage of the value.")      \
  C(type, StringId, None, "Kind.")
TB_TABLE(AflagTable, "__intrinsic_android_aflags", "Feature flags of an Android build.",
         TB_AFLAG_COLUMNS)

#define TB_CPU_PER_UID_COLUMNS(C)               \
  C(track_id, OptRow, None, "Row of track.")    \
  C(uid, int64_t, None, "User id.")             \
  C(cluster, int64_t, None, "Cluster of CPUs.") \
  C(total_cpu_millis, int64_t, None, "CPU time used in total, ms.")
TB_TABLE(CpuPerUidTable, "__intrinsic_android_cpu_per_uid_track",
         "CPU time of each user and cluster.", TB_CPU_PER_UID_COLUMNS)

#define TB_ANDROID_TABLES(TABLE, PLAIN)                        \
  PLAIN(PackageListTable, package_list)                        \
  PLAIN(GameInterventionTable, android_game_intervention_list) \
  PLAIN(UserListTable, android_user_list)                      \
  PLAIN(AflagTable, android_aflags)                            \
  PLAIN(CpuPerUidTable, android_cpu_per_uid_track)

}  // namespace tracebraid
