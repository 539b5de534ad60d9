# Embeds the HTML pages that the program writes into its code.

# ballotcast_embed_page(TARGET CONSTANT FOLDER SCRIPTS FILES...): embeds page.html, page.css and the
# scripts of src/FOLDER/page in TARGET, as a constant of the type PageFiles. The
# styles and scripts that all pages share (src/support/page) come first.
function(ballotcast_embed_page target constant folder)
  cmake_parse_arguments(PARSE_ARGV 3 embed "" "" SCRIPTS)
  set(shared ${PROJECT_SOURCE_DIR}/src/support/page)
  set(own ${PROJECT_SOURCE_DIR}/src/${folder}/page)
  set(scripts elements.js frame.js)
  list(TRANSFORM scripts PREPEND ${shared}/)
  list(TRANSFORM embed_SCRIPTS PREPEND ${own}/)
  list(APPEND scripts ${embed_SCRIPTS})
  set(styles ${shared}/base.css ${own}/page.css)
  list(JOIN scripts "," joined_scripts)
  list(JOIN styles "," joined_styles)
  set(source ${PROJECT_BINARY_DIR}/generated/${constant}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/tools/cmake/embed.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DCONSTANT=${constant} -DFOLDER=${folder} -DHTML=${own}/page.html
            -DSTYLES=${joined_styles} -DSCRIPTS=${joined_scripts} -DOUT=${source} -P ${script}
    DEPENDS ${own}/page.html ${styles} ${scripts} ${script}
    COMMENT "Embedding the page of src/${folder}" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
