# A copy of the header of Abseil's hash tables in the build folder, in which two functions are corrected. Those of Debian 12 (20220623)
# leave a table that cannot be destroyed when an allocation fails, because Abseil is built for programs without exceptions:
#   resize()      says that the table is larger before it allocates
#   emplace_at()  leaves the slot marked as full if the constructor of the element throws
# The library promises NO_MEMORY instead of a crash (tests/absl_tables_test.cc). A header with other code is used as it is, with a
# warning.
function(tb_correct_hash_tables target)
  set(name absl/container/internal/raw_hash_set.h)
  get_target_property(folders absl::raw_hash_set INTERFACE_INCLUDE_DIRECTORIES)
  find_file(header ${name} PATHS ${folders} NO_CACHE REQUIRED)
  file(READ ${header} text)
  set(begin_of_resize "    capacity_ = new_capacity;
    initialize_slots();
")
  set(safe_resize "    capacity_ = new_capacity;
    try {
      initialize_slots();
    } catch (...) {
      capacity_ = old_capacity;
      throw;
    }
")
  set(construct "    PolicyTraits::construct(&alloc_ref(), slots_ + i,
                            std::forward<Args>(args)...);

    assert(PolicyTraits::apply(FindElement{*this}")
  set(safe_construct "    try {
      PolicyTraits::construct(&alloc_ref(), slots_ + i,
                              std::forward<Args>(args)...);
    } catch (...) {
      erase_meta_only(iterator_at(i));
      throw;
    }

    assert(PolicyTraits::apply(FindElement{*this}")
  foreach(part begin_of_resize construct)
    string(FIND "${text}" "${${part}}" first)
    string(FIND "${text}" "${${part}}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
      message(WARNING "${header} is of another version of Abseil: its tables are not corrected, and may crash without memory")
      return()
    endif()
  endforeach()
  string(REPLACE "${begin_of_resize}" "${safe_resize}" text "${text}")
  string(REPLACE "${construct}" "${safe_construct}" text "${text}")
  set(folder ${CMAKE_BINARY_DIR}/absl_tables)
  # Without warnings, as headers of the system have none. An unchanged file keeps its time.
  file(CONFIGURE OUTPUT ${folder}/${name} CONTENT "#pragma GCC system_header\n@text@" @ONLY)
  target_include_directories(${target} BEFORE INTERFACE ${folder})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
endfunction()
