# lanecull_generate(KIND TO HEADER...): the file TO, by generate.py
find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(lanecull_generate kind to)
  set(generator ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/generate.py)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/lanecull/*.h)
  get_filename_component(folder ${to} DIRECTORY)
  add_custom_command(OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${Python3_EXECUTABLE} ${generator} ${kind} ${to} ${ARGN}
    DEPENDS ${generator} ${headers} VERBATIM)
endfunction()
