# `cmake --install`, and what find_package(ballotcast) reads afterwards.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ballotcast)

install(TARGETS ballotcast ballotcast_options ballotcast_jpeg ballotcast_tinyobjloader
        ballotcast_stb
        EXPORT ballotcast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ballotcast_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ballotcast
        FILES_MATCHING PATTERN "*.hpp"
        PATTERN "cli" EXCLUDE PATTERN "cuda" EXCLUDE PATTERN "emulated" EXCLUDE)
install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ballotcast
        FILES_MATCHING PATTERN "*.hpp")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ballotcast)
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ballotcast
        FILES_MATCHING PATTERN "*.obj" PATTERN "*.mtl" PATTERN "*.json" PATTERN "*.png"
        PATTERN "pictures" EXCLUDE)
install(EXPORT ballotcast NAMESPACE ballotcast:: DESTINATION ${package_dir})
configure_package_config_file(tools/cmake/ballotcast-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ballotcast-config-version.cmake
        DESTINATION ${package_dir})
