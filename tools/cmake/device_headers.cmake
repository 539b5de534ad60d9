# The headers that kernels of users' programs include: include/ballotcast/device.hpp, slots.hpp and
# lanes.hpp explain their use. The headers that make_headers.cmake generates are in
# ${BALLOTCAST_GENERATED_INCLUDE}.
set(BALLOTCAST_GENERATED_INCLUDE ${PROJECT_BINARY_DIR}/generated/include)
set(generated ${BALLOTCAST_GENERATED_INCLUDE}/ballotcast)
set(headers device_core.hpp device_nvrtc.hpp slots_core.hpp lanes_core.hpp)
set(script ${PROJECT_SOURCE_DIR}/tools/cmake/make_headers.cmake)
list(TRANSFORM headers PREPEND ${generated}/)
add_custom_command(OUTPUT ${headers}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUT=${BALLOTCAST_GENERATED_INCLUDE}
          -D DEPFILE=${generated}/device_header.d -P ${script}
  # CMake does not rewrite a file whose bytes stay the same. Without a touch, the next build would
  # run this again.
  COMMAND ${CMAKE_COMMAND} -E touch ${headers}
  DEPENDS ${script} DEPFILE ${generated}/device_header.d
  COMMENT "Making the headers for kernels of programs" VERBATIM)
add_custom_target(ballotcast_device_headers DEPENDS ${headers})
