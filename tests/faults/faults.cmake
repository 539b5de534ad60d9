# Tests of faults outside of the program: in memory, files, signals and GPUs.
ballotcast_tests(faults SLOW MemoryBudget.changes_no_pixel_and_no_hit)
add_dependencies(faults_tests ballotcast_program)

add_test(NAME Faults.of_files_are_told_and_leave_nothing_behind
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/faults/files_test.sh
                 $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR})
add_test(NAME Faults.of_memory_are_told_with_what_would_do
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/faults/memory_test.sh
                 $<TARGET_FILE:ballotcast_program> ${PROJECT_SOURCE_DIR})

# A fake driver library, which the program loads instead of a real driver.
add_library(fake_driver SHARED faults/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES
  PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
  CXX_VISIBILITY_PRESET default  # the CUDA runtime looks its functions up by name
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
add_test(NAME Faults.of_drivers_are_told_and_auto_goes_on_with_the_cpu
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/faults/driver_test.sh
                 $<TARGET_FILE:ballotcast_program> $<TARGET_FILE_DIR:fake_driver>)
set_tests_properties(Faults.of_drivers_are_told_and_auto_goes_on_with_the_cpu PROPERTIES
                     SKIP_RETURN_CODE 77)

# The program with a fake CUDA runtime, which has no GPU and fails on request.
set(program_on_fake_gpu "")
if(BALLOTCAST_HAS_CUDA)
  add_executable(program_on_fake_gpu ${PROJECT_SOURCE_DIR}/src/cli/main.cpp faults/fake_runtime.cpp)
  target_include_directories(program_on_fake_gpu SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(program_on_fake_gpu PRIVATE floor_cli ballotcast_options)
  set(program_on_fake_gpu $<TARGET_FILE:program_on_fake_gpu>)
endif()
add_test(NAME Faults.of_gpus_are_told_and_leave_nothing_behind
         COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/faults/gpu_test.sh
                 $<TARGET_FILE_DIR:fake_driver> ${PROJECT_SOURCE_DIR} ${program_on_fake_gpu})
set_tests_properties(Faults.of_gpus_are_told_and_leave_nothing_behind PROPERTIES
                     SKIP_RETURN_CODE 77)

find_program(BALLOTCAST_PYTHON3 python3)
if(BALLOTCAST_PYTHON3)
  add_test(NAME Faults.of_gpus_leave_a_viewer_that_goes_on_with_the_cpu
           COMMAND ${BALLOTCAST_PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/faults/lost_gpu_test.py
                   $<TARGET_FILE_DIR:fake_driver> $<TARGET_FILE:ballotcast_program>
                   ${program_on_fake_gpu})
  set_tests_properties(Faults.of_gpus_leave_a_viewer_that_goes_on_with_the_cpu PROPERTIES
                       SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
