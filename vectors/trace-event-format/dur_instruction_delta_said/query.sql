SELECT name, thread_instruction_delta AS d FROM slice ORDER BY ts;
