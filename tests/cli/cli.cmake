# Tests that run the program.
ballotcast_tests(cli)

# Each function case_NAME in cases/ becomes a test, Cli.NAME.
file(GLOB case_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/cases/*.sh)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${case_files})
foreach(file IN LISTS case_files)
  file(STRINGS ${file} cases REGEX "^case_[a-z0-9_]+\\(\\) {$")
  list(TRANSFORM cases REPLACE "^case_([a-z0-9_]+).*" "\\1")
  foreach(case IN LISTS cases)
    add_test(NAME Cli.${case}
             COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli/cli_test.sh
                     $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR} ${case})
    set_tests_properties(Cli.${case} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

add_test(NAME Cli.packed_scenes_are_taken_by_every_command_and_bad_ones_refused
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli/pack_test.sh
                 $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR})
add_test(NAME Cli.odd_files_of_others_are_shown_or_refused
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cli/odd_files_test.sh
                 $<TARGET_FILE:ballotcast_program> ${BALLOTCAST_SHARED_SCENES}/obj-edge-cases
                 "${BALLOTCAST_SANITIZE}")
set_tests_properties(Cli.odd_files_of_others_are_shown_or_refused PROPERTIES SKIP_RETURN_CODE 77)
