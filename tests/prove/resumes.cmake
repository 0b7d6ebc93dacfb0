# A run of the prover goes on where its state file says it stopped: cmake -DPROVE=PROGRAM -DSTATE=FILE -P resumes.cmake
file(REMOVE ${STATE})
foreach(seconds IN ITEMS 0.01 0.02)
  execute_process(COMMAND ${PROVE} --family uniform --seconds ${seconds} --threads 1 --quiet --commit c --state ${STATE}
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT output MATCHES "from round [1-9]")
  message(FATAL_ERROR "The second run began anew: ${output}")
endif()
