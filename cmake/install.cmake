# cmake --install: the libraries for other programs (docs/library.md). Component `library`: the C
# interface, whose ABI is stable.
#
#   include/tracebraid/        tracebraid.h, tracebraid.hpp
#   lib/libtracebraid.{so,a}
#   lib/cmake/tracebraid/      find_package(tracebraid [COMPONENTS static])
#   lib/pkgconfig/tracebraid.pc
#
# Component `engine`: the engine itself. Its C++ interface has no stable ABI.
#
#   include/tracebraid/engine/ headers of src/engine, and those that they include
#   lib/libtracebraid-engine.{so,a}
#   lib/cmake/tracebraid/      find_package(tracebraid [COMPONENTS static])
#   lib/pkgconfig/tracebraid-engine.pc
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The objects of all folders except the programs and the server, and the libraries that they use.
file(STRINGS src/LAYERS layers)
string(REPLACE " " ";" layers "${layers}")
list(REMOVE_ITEM layers fleet server capi cli generate)
foreach(layer ${layers})
  get_target_property(type tb_${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:tb_${layer}>)
    get_target_property(links tb_${layer} LINK_LIBRARIES)
    list(APPEND libraries ${links})
  endif()
endforeach()
list(FILTER libraries EXCLUDE REGEX "^(tb_|tl::)")
list(REMOVE_DUPLICATES libraries)

add_library(tracebraid-engine SHARED ${objects})
target_link_libraries(tracebraid-engine PRIVATE ${libraries} INTERFACE tl::expected)
set_target_properties(tracebraid-engine PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION} EXPORT_NAME engine)
add_library(tracebraid-engine-static STATIC ${objects})
target_link_libraries(tracebraid-engine-static INTERFACE ${libraries} tl::expected)
set_target_properties(tracebraid-engine-static PROPERTIES OUTPUT_NAME tracebraid-engine
  EXPORT_NAME engine_static)

# The C interface. Its version script hides all C++ symbols, those of static libraries too.
set(SYMBOLS ${CMAKE_SOURCE_DIR}/src/capi/libtracebraid.map)
add_library(tracebraid-c SHARED $<TARGET_OBJECTS:tb_capi> ${objects})
target_link_libraries(tracebraid-c PRIVATE ${libraries} ${CMAKE_DL_LIBS})
target_link_options(tracebraid-c PRIVATE -Wl,--version-script=${SYMBOLS} ${TRACEBRAID_SMALL_LINK})
set_target_properties(tracebraid-c PROPERTIES VERSION 1.${PROJECT_VERSION} SOVERSION 1
  OUTPUT_NAME tracebraid EXPORT_NAME tracebraid LINK_DEPENDS ${SYMBOLS})
add_library(tracebraid-c-static STATIC $<TARGET_OBJECTS:tb_capi> ${objects})
target_link_libraries(tracebraid-c-static INTERFACE ${libraries} ${CMAKE_DL_LIBS})
set_target_properties(tracebraid-c-static PROPERTIES OUTPUT_NAME tracebraid EXPORT_NAME static)

set(include_folder ${CMAKE_INSTALL_INCLUDEDIR}/tracebraid)
set(engine_include_folder ${include_folder}/engine)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tracebraid)
foreach(target tracebraid-engine tracebraid-engine-static)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${engine_include_folder}>)
endforeach()
foreach(target tracebraid-c tracebraid-c-static)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

install(FILES src/capi/tracebraid.h src/capi/tracebraid.hpp DESTINATION ${include_folder}
  COMPONENT library)
install(TARGETS tracebraid-c EXPORT c_shared COMPONENT library)
install(TARGETS tracebraid-c-static EXPORT c_static COMPONENT library)
install(EXPORT c_shared NAMESPACE tracebraid:: FILE tracebraidCTargets.cmake
  DESTINATION ${package_folder} COMPONENT library)
install(EXPORT c_static NAMESPACE tracebraid:: FILE tracebraidCStaticTargets.cmake
  DESTINATION ${package_folder} COMPONENT library)

install(TARGETS tracebraid-engine EXPORT shared COMPONENT engine)
install(TARGETS tracebraid-engine-static EXPORT static COMPONENT engine)
install(EXPORT shared NAMESPACE tracebraid:: FILE tracebraidTargets.cmake
  DESTINATION ${package_folder} COMPONENT engine)
install(EXPORT static NAMESPACE tracebraid:: FILE tracebraidStaticTargets.cmake
  DESTINATION ${package_folder} COMPONENT engine)
if(TARGET tracebraid_arrow)  # EngineOptions::plugin_folder
  set_target_properties(tracebraid_arrow PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  foreach(component engine library)
    install(TARGETS tracebraid_arrow DESTINATION ${CMAKE_INSTALL_LIBDIR}/tracebraid
      COMPONENT ${component})
  endforeach()
endif()

# The public headers are found during installation, because they depend on includes.
install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}/src\")
set(DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${engine_include_folder}\")" COMPONENT engine)
install(SCRIPT cmake/install_headers.cmake COMPONENT engine)

# The modules of pkg-config that the static library needs, as in dependencies.cmake.
set(PKG_CONFIG_MODULES sqlite3 re2 zlib libdeflate libzstd liblzma expat)
set(PKG_CONFIG_NAMES sqlite3 re2 zlib libdeflate zstd lzma expat)
if(TARGET PkgConfig::isal)
  list(APPEND PKG_CONFIG_MODULES libisal)
  list(APPEND PKG_CONFIG_NAMES isal)
endif()
configure_package_config_file(cmake/tracebraidConfig.cmake.in tracebraidConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(tracebraidConfigVersion.cmake COMPATIBILITY ExactVersion)
string(REPLACE ";" " " REQUIRES_PRIVATE "${PKG_CONFIG_MODULES}")
file(RELATIVE_PATH PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/tracebraid-engine.pc.in tracebraid-engine.pc @ONLY)
configure_file(cmake/tracebraid.pc.in tracebraid.pc @ONLY)
foreach(component engine library)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tracebraidConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/tracebraidConfigVersion.cmake
    DESTINATION ${package_folder} COMPONENT ${component})
endforeach()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tracebraid-engine.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT engine)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tracebraid.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
