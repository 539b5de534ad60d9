# Tests of several processes that work together.
add_executable(processes_casts processes/casts.cpp)
target_include_directories(processes_casts PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(processes_casts PRIVATE floor_cli ballotcast_options GTest::gtest)
# The program must be in the same folder as the module for MPI, to find it.
set_target_properties(processes_casts PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
# This library does not use ballotcast_options, because mpirun, which loads it, must not load
# sanitizers.
add_library(few_reads SHARED processes/few_reads.cpp)
target_compile_options(few_reads PRIVATE -Wall -Wextra)
add_test(NAME Processes.work_as_one
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/processes/mpi_test.sh
                 $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR}
                 $<TARGET_FILE:processes_casts> $<TARGET_FILE:few_reads>
                 "${BALLOTCAST_SANITIZE}")
set_tests_properties(Processes.work_as_one PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
if(NOT BALLOTCAST_SANITIZE)
  add_test(NAME Processes.work_as_one_under_slurm
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/processes/slurm_test.sh
                   $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR}
                   $<TARGET_FILE:processes_casts>)
  set_tests_properties(Processes.work_as_one_under_slurm PROPERTIES
                       SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
