# A floor is a folder of sources that may use only lower floors. Each floor is one target. It sees
# only the headers of the floors that it uses, directly or indirectly, because each floor has its
# own include folder, which contains a link to its sources.
#
#   support - math - geometry, image - scene, bvh - kernels - backends - render - compare, bench - view - cli
set(BALLOTCAST_FLOOR_INCLUDES ${PROJECT_BINARY_DIR}/floors)
set(BALLOTCAST_FLOORS "" CACHE INTERNAL "")

# ballotcast_floor(NAME [USES FLOORS...] SOURCES...): the target floor_NAME for the current folder.
function(ballotcast_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 floor "" "" USES)
  set(sources "")
  set(uses "")
  # After USES come the names of floors, then source files, whose names contain a dot.
  foreach(item IN LISTS floor_USES)
    if(item MATCHES "\\.")
      list(APPEND sources ${item})
    else()
      list(APPEND uses floor_${item})
    endif()
  endforeach()
  list(APPEND sources ${floor_UNPARSED_ARGUMENTS})

  file(MAKE_DIRECTORY ${BALLOTCAST_FLOOR_INCLUDES}/${name})
  set(link ${BALLOTCAST_FLOOR_INCLUDES}/${name}/${name})
  if(NOT IS_SYMLINK ${link})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${link} SYMBOLIC)
  endif()
  if(sources)
    add_library(floor_${name} STATIC ${sources})
    target_include_directories(floor_${name} PUBLIC ${BALLOTCAST_FLOOR_INCLUDES}/${name})
    target_link_libraries(floor_${name} PUBLIC ${uses} PRIVATE ballotcast_options)
    set(BALLOTCAST_FLOORS ${BALLOTCAST_FLOORS} ${name} CACHE INTERNAL "")
  else()
    add_library(floor_${name} INTERFACE)
    target_include_directories(floor_${name} INTERFACE ${BALLOTCAST_FLOOR_INCLUDES}/${name})
    target_link_libraries(floor_${name} INTERFACE ${uses})
  endif()
endfunction()

# Links a program from each floor and the floors that it uses. If a floor needs a symbol of another
# floor, linking fails. Called when the tests are built.
function(ballotcast_hold_floors)
  foreach(name IN LISTS BALLOTCAST_FLOORS)
    add_executable(holds_${name} ${PROJECT_SOURCE_DIR}/tools/cmake/nothing.cpp)
    target_link_libraries(holds_${name} PRIVATE
      -Wl,--whole-archive $<TARGET_FILE:floor_${name}> -Wl,--no-whole-archive floor_${name})
    set_target_properties(holds_${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${BALLOTCAST_FLOOR_INCLUDES}/held)
    add_dependencies(holds_${name} floor_${name})
  endforeach()
endfunction()
