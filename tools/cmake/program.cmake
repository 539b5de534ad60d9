# Other programs: make_scene, which writes the generated scenes, and examples.
add_executable(make_scene
  scenes/generator/atrium.cpp
  scenes/generator/blob.cpp
  scenes/generator/furniture.cpp
  scenes/generator/main.cpp
  scenes/generator/mason.cpp
  scenes/generator/slivers.cpp
  scenes/generator/terrain.cpp
  scenes/generator/writer.cpp)
target_link_libraries(make_scene PRIVATE floor_math ballotcast_options)

# Examples of programs that use the library: many moving worlds, and rays that are in GPU memory.
add_executable(lidar examples/lidar.cpp)
target_link_libraries(lidar PRIVATE ballotcast::static ballotcast_options)
if(BALLOTCAST_HAS_CUDA)
  add_executable(cast_on_stream examples/cast_on_stream.cpp)
  target_link_libraries(cast_on_stream PRIVATE ballotcast::static CUDA::cudart_static)
endif()

# The example of kernels of a program, as programs compile it; without nvcc as C++.
add_executable(path_tracer examples/path_tracer.cu)
target_link_libraries(path_tracer PRIVATE ballotcast::static)
if(NOT BALLOTCAST_HAS_CUDA)
  set_source_files_properties(examples/path_tracer.cu PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
  target_link_libraries(path_tracer PRIVATE ballotcast_options)  # with sanitizers, if there are any
endif()
