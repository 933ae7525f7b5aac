# Sources of one folder are compiled together where a preset asks for it (CMAKE_UNITY_BUILD): each header is read once
# a folder instead of once a source, so a build takes half the time.
#
# These are compiled alone: each uses a name for different things that another source of its folder uses, too, or
# makes a call that only it may make (tests/library_symbols_test.py looks them up by the name of the object).
set(TRACEBRAID_ALONE
  "assemble/kernel/"
  "base/guard_mapped_files.cc"
  "base/string_pool.cc"
  "cli/completions.cc"
  "cli/man.cc"
  "cli/run.cc"
  "clock/[a-z_]*_test.cc"
  "clock/rounds.cc"
  "container/spool.cc"
  "container/zip.cc"
  "container/zip_test.cc"
  "engine/functions/profile_tree.cc"
  "engine/functions/sql_functions.cc"
  "engine/opening_test.cc"
  "engine/options.cc"
  "export/arrow/arrow_library.cc"
  "export/perfetto/samples.cc"
  "export/perfetto/sched.cc"
  "export/perfetto/task_states.cc"
  "format/proto/ftrace/ftrace.cc"
  "format/proto/profile/perf_samples.cc"
  "format/proto/profile/symbols.cc"
  "format/proto/system/sys_stats.cc"
  "format/proto/window/"
  "format/systrace/line_test.cc"
  "generate/"
  "kernel/text/topics/"
  "merge/align/feasible_test.cc"
  "merge/align/named.cc"
  "merge/locate/base_times.cc"
  "merge/locate/log_years.cc"
  "merge/locate/switches.cc"
  "merge/unknown_input.cc"
  "query/compile/[a-z_]*_test.cc"
  "query/compile/connection.cc"
  "query/compile/intersection_text.cc"
  "query/compile/select_text.cc"
  "query/functions/regular_expressions.cc"
  "query/functions/text_functions.cc"
  "query/group/joined_counts.cc"
  "query/operators/"
  "query/scan/row_order.cc"
  "query/scan/scan.cc"
  "report/reference_text.cc"
  "report/report_text.cc"
  "server/api/drafts.cc"
  "server/api/site.cc"
  "server/api/traces.cc"
  "server/http/stream_socket.cc"
  "server/http/websocket.cc"
  "server/rpc/result_writer.cc"
  "server/rpc/run_query.cc"
  "server/rpc/stream.cc"
  "tables/packed_args.cc"
  "timeline/events/event_facts.cc"
  "timeline/tree/tree_titles.cc"
  "timeline/tree/tree_track.cc")

# Groups the sources of a target by folder.
function(tb_group_by_folder target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  list(JOIN TRACEBRAID_ALONE "|" alone)
  foreach(source ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${source})
    get_filename_component(folder ${path} DIRECTORY)
    if(path MATCHES "^(${alone})")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
    endif()
  endforeach()
endfunction()
