# The commit that is built, for `gpulint version`: generated/commit.cc, written again when HEAD moves, so that only this file is compiled then.
# No commit is named where SOURCE is no repository of its own (a tarball, also one unpacked inside another repository) or git is not there.
# As a script: cmake -DSOURCE=FOLDER -DOUTPUT=FILE -P lint/commit.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "")
  set(date "")
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-prefix RESULT_VARIABLE status OUTPUT_VARIABLE prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status STREQUAL "0" AND prefix STREQUAL "")
    execute_process(COMMAND git -C ${SOURCE} show --no-patch --format=%h:%cs HEAD OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(answer MATCHES "^([0-9a-f]+):([0-9-]+)$")
      set(commit ${CMAKE_MATCH_1})
      set(date ${CMAKE_MATCH_2})
    endif()
  endif()
  file(WRITE ${OUTPUT} "#include \"lint/version.h\"\n\nconst char gpulint::kCommit[] = \"${commit}\";\nconst char gpulint::kCommitDate[] = \"${date}\";\n")
  return()
endif()

# Both change when HEAD moves: the first with the branch, the second with each commit.
set(moves "")
foreach(file HEAD logs/HEAD)
  execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --git-path ${file} OUTPUT_VARIABLE path ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(path "${path}" ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  if(EXISTS ${path} AND NOT IS_DIRECTORY ${path})
    list(APPEND moves ${path})
  endif()
endforeach()
set(commit_file ${CMAKE_BINARY_DIR}/generated/commit.cc)
add_custom_command(OUTPUT ${commit_file} DEPENDS ${moves} ${CMAKE_CURRENT_LIST_FILE} COMMENT "Asking for the commit"
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${commit_file} -P ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
target_sources(gpulint_library PRIVATE ${commit_file})
