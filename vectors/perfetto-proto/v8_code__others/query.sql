select jit_code_id, v8_isolate_id, function_name, code_type from __intrinsic_v8_internal_code;
select w.jit_code_id, w.function_name, w.tier, w.code_offset_in_module, s.url, s.wire_bytes_base64 from __intrinsic_v8_wasm_code w join __intrinsic_v8_wasm_script s on s.id=w.v8_wasm_script_id;
select jit_code_id, pattern from __intrinsic_v8_regexp_code;
