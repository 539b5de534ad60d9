# The page of the HTML report becomes a part of the library.
set(page ${CMAKE_CURRENT_SOURCE_DIR}/src/bench/reports/page)
set(page_scripts numbers.js data.js svg.js looks.js specs.js lines.js bars.js charts.js tips.js tables.js page.js)
list(TRANSFORM page_scripts PREPEND ${page}/ OUTPUT_VARIABLE page_script_files)
list(JOIN page_scripts "," joined_scripts)
set(page_source ${CMAKE_CURRENT_BINARY_DIR}/generated/page_files.cpp)
add_custom_command(OUTPUT ${page_source}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DSCRIPTS=${joined_scripts} -DOUT=${page_source}
          -P ${CMAKE_CURRENT_SOURCE_DIR}/tools/cmake/embed.cmake
  DEPENDS ${page}/page.html ${page}/page.css ${page_script_files}
          ${CMAKE_CURRENT_SOURCE_DIR}/tools/cmake/embed.cmake
  COMMENT "Embedding the page of the HTML report" VERBATIM)
target_sources(ballotcast PRIVATE ${page_source})
