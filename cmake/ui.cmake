# The viewer in ui/, embedded into the program. Sets TRACEBRAID_ASSETS_SOURCE to its objects, unless the viewer is left out.
set(TRACEBRAID_UI AUTO CACHE STRING
  "Embed the viewer: AUTO leaves it out if node or its packages are missing, ON makes that an error, OFF leaves it out")
set_property(CACHE TRACEBRAID_UI PROPERTY STRINGS AUTO ON OFF)

if(TRACEBRAID_UI)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/ui packages
    OUTPUT_QUIET ERROR_VARIABLE ui_reason RESULT_VARIABLE ui_failed ERROR_STRIP_TRAILING_WHITESPACE)
  if(ui_failed AND TRACEBRAID_UI STREQUAL "AUTO")
    message(STATUS "Viewer: no; ${ui_reason}")
  elseif(ui_failed)
    message(FATAL_ERROR "Viewer (TRACEBRAID_UI=${TRACEBRAID_UI}): ${ui_reason}")
  else()
    message(STATUS "Viewer: embedded")
    enable_language(ASM)
    set(ui_folder ${CMAKE_BINARY_DIR}/ui)
    file(GLOB_RECURSE ui_inputs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/src/*)
    list(APPEND ui_inputs ${CMAKE_SOURCE_DIR}/ui/index.html ${CMAKE_SOURCE_DIR}/ui/package-lock.json
      ${CMAKE_SOURCE_DIR}/ui/tsconfig.json ${CMAKE_SOURCE_DIR}/ui/vite.config.ts
      ${CMAKE_SOURCE_DIR}/ui/scripts/embed.mjs ${CMAKE_SOURCE_DIR}/scripts/ui)
    add_custom_command(OUTPUT ${ui_folder}/assets.cc ${ui_folder}/assets.S
      COMMAND ${CMAKE_SOURCE_DIR}/scripts/ui build ${ui_folder}
      DEPENDS ${ui_inputs} COMMENT "Building the viewer" VERBATIM)
    # Objects of their own: the bytes are assembled once, and no flag of the layers concerns them.
    add_library(tb_viewer OBJECT EXCLUDE_FROM_ALL ${ui_folder}/assets.cc ${ui_folder}/assets.S)
    set_target_properties(tb_viewer PROPERTIES UNITY_BUILD OFF)
    target_include_directories(tb_viewer PRIVATE ${CMAKE_SOURCE_DIR}/src)
    set(TRACEBRAID_ASSETS_SOURCE $<TARGET_OBJECTS:tb_viewer>)
  endif()
endif()
