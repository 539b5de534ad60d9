# Programs that compare GPUs with the CPU, and their tests: tools/test release -L gpu runs them.
# They are skipped where there is no usable GPU. By hand, the programs do more: see build/NAME
# --help.

# ballotcast_gpu_test(CHECK [ARGUMENT...]): adds the test Gpu.CHECK. The tests run one at a time, so
# that each has the memory of the GPU.
function(ballotcast_gpu_test check)
  add_test(NAME Gpu.${check}
           COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/checks/gpu/on_gpu.sh
                   $<TARGET_FILE:ballotcast_program> $<TARGET_FILE:${check}> ${ARGN})
  set_tests_properties(Gpu.${check} PROPERTIES
                       SKIP_RETURN_CODE 77 LABELS gpu RESOURCE_LOCK gpu TIMEOUT 1800)
endfunction()

# tools/gpu_check runs gpu_check with more rays and scenes. build_check compares trees that the GPU
# built with those of the host. sway_check draws a scene with moving curtains.
if(NOT BALLOTCAST_SANITIZE)
  ballotcast_tool(gpu_check checks/gpu/gpu_check.cpp)
  ballotcast_gpu_test(gpu_check --quick)
  ballotcast_tool(build_check checks/gpu/build_check.cpp)
  ballotcast_gpu_test(build_check)
  ballotcast_tool(sway_check checks/gpu/sway_check.cpp)
  ballotcast_gpu_test(sway_check ${PROJECT_SOURCE_DIR}/scenes/atrium.obj --material cloth
                      --frames 31 --width 320 --device cuda)
endif()

# These programs cast rays on each GPU, and move vertices and instances there.
ballotcast_tool(heightfield_check checks/gpu/heightfield_check.cpp)
if(BALLOTCAST_HAS_CUDA)
  ballotcast_tool(casters_check checks/gpu/casters_check.cpp)
  ballotcast_tool(filters_check checks/gpu/filters_check.cpp)
  ballotcast_tool(motion_check checks/gpu/motion_check.cpp)
  ballotcast_tool(query_rates checks/gpu/query_rates.cpp)
  ballotcast_tool(queue_order_check checks/gpu/queue_order_check.cpp)
  ballotcast_tool(repeated_check checks/gpu/repeated_check.cpp)
  ballotcast_tool(worlds_check checks/gpu/worlds_check.cpp)
  ballotcast_tool(own_kernel_check checks/gpu/own_kernel_check.cpp
                  checks/gpu/own_kernels/slots_agree.cpp $<TARGET_OBJECTS:own_kernels>)
  target_include_directories(own_kernel_check PRIVATE ${BALLOTCAST_GENERATED_INCLUDE})
  foreach(tool casters_check filters_check motion_check own_kernel_check query_rates repeated_check
               worlds_check)
    target_link_libraries(${tool} PRIVATE CUDA::cudart_static)
  endforeach()
  ballotcast_gpu_test(casters_check)
  ballotcast_gpu_test(filters_check)
  ballotcast_gpu_test(heightfield_check --side=700 --rays=300000)
  ballotcast_gpu_test(motion_check --frames=10 --replays=100)
  ballotcast_gpu_test(own_kernel_check)
  ballotcast_gpu_test(queue_order_check ${PROJECT_SOURCE_DIR}/scenes/cornell-box.obj --width=320
                      --height=180)
  ballotcast_gpu_test(repeated_check)
  ballotcast_gpu_test(slots_check)
  ballotcast_gpu_test(slots_noise_check)
  ballotcast_gpu_test(slots_shapes_check)
  ballotcast_gpu_test(worlds_check --frames=10 --replays=100)
endif()
