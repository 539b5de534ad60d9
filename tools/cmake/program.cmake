# Other programs: make_scene, which writes the generated scenes, and examples.
add_executable(make_scene
  tools/make_scene_src/atrium.cpp
  tools/make_scene_src/blob.cpp
  tools/make_scene_src/furniture.cpp
  tools/make_scene_src/main.cpp
  tools/make_scene_src/mason.cpp
  tools/make_scene_src/slivers.cpp
  tools/make_scene_src/terrain.cpp
  tools/make_scene_src/writer.cpp)
target_link_libraries(make_scene PRIVATE floor_math ballotcast_options)

# Examples of programs that use the library: many moving worlds, and rays that are in GPU memory.
add_executable(lidar tools/examples/lidar.cpp)
target_link_libraries(lidar PRIVATE ballotcast::static ballotcast_options)
if(BALLOTCAST_HAS_CUDA)
  add_executable(cast_on_stream tools/examples/cast_on_stream.cpp)
  target_link_libraries(cast_on_stream PRIVATE ballotcast::static CUDA::cudart_static)
endif()
