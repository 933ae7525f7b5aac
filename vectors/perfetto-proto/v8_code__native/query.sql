select j.create_ts, j.estimated_delete_ts, t.tid, j.start_address, j.size, j.function_name, j.native_code_base64 from __intrinsic_jit_code j join thread t using(utid) order by j.id;
