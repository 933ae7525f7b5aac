SELECT thread_instruction_count AS c, thread_instruction_delta AS d FROM slice;
