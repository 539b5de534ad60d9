# The pages that the program writes become a part of the library.

# The files of src/FOLDER/page become CONSTANT, which src/FOLDER/page_files.hpp declares: page.html,
# page.css and SCRIPTS, the last two behind what all pages share (src/support/page).
function(embed_page constant folder)
  cmake_parse_arguments(PARSE_ARGV 2 embed "" "" SCRIPTS)
  set(shared ${CMAKE_CURRENT_SOURCE_DIR}/src/support/page)
  set(own ${CMAKE_CURRENT_SOURCE_DIR}/src/${folder}/page)
  set(scripts words.js elements.js state.js frame.js)
  list(TRANSFORM scripts PREPEND ${shared}/)
  list(TRANSFORM embed_SCRIPTS PREPEND ${own}/)
  list(APPEND scripts ${embed_SCRIPTS})
  set(styles ${shared}/base.css ${own}/page.css)
  list(JOIN scripts "," joined_scripts)
  list(JOIN styles "," joined_styles)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/generated/${constant}.cpp)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/tools/cmake/embed.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DCONSTANT=${constant} -DFOLDER=${folder} -DHTML=${own}/page.html
            -DSTYLES=${joined_styles} -DSCRIPTS=${joined_scripts} -DOUT=${source} -P ${script}
    DEPENDS ${own}/page.html ${styles} ${scripts} ${script}
    COMMENT "Embedding the page of src/${folder}" VERBATIM)
  target_sources(ballotcast PRIVATE ${source})
endfunction()

embed_page(kReportPage bench/reports
  SCRIPTS numbers.js data.js svg.js looks.js specs.js lines.js bars.js charts.js tips.js tables.js
          page.js)
embed_page(kPicturesPage compare
  SCRIPTS data.js png.js pictures.js stage.js pixels.js viewer.js case.js list.js keys.js page.js)
