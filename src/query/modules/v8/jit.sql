-- Scripts and code of V8.

INCLUDE PERFETTO MODULE stack_trace.jit;

-- Instances of V8.
CREATE PERFETTO VIEW v8_isolate(
  -- Row number.
  v8_isolate_id LONG,
  -- Process.
  upid JOINID(process.id),
  -- Number of the isolate in its process.
  internal_isolate_id LONG,
  -- Address of the embedded code.
  embedded_blob_code_start_address LONG,
  -- Its size, bytes.
  embedded_blob_code_size LONG,
  -- Address of the range of code.
  code_range_base_address LONG,
  -- Its size, bytes.
  code_range_size LONG,
  -- 1 if the range belongs to all isolates of the process.
  shared_code_range LONG,
  -- Address of the copy of the embedded code.
  embedded_blob_code_copy_start_address LONG
) AS
SELECT
  id AS v8_isolate_id, upid, internal_isolate_id, embedded_blob_code_start_address,
  embedded_blob_code_size, code_range_base_address, code_range_size, shared_code_range,
  embedded_blob_code_copy_start_address
FROM __intrinsic_v8_isolate;

-- Scripts in JavaScript.
CREATE PERFETTO VIEW v8_js_script(
  -- Row number.
  v8_js_script_id LONG,
  -- Isolate.
  v8_isolate_id JOINID(v8_isolate.v8_isolate_id),
  -- Number of the script in its isolate.
  internal_script_id LONG,
  -- Kind of script.
  script_type STRING,
  -- Name or address.
  name STRING,
  -- Text of the script.
  source STRING
) AS
SELECT id AS v8_js_script_id, v8_isolate_id, internal_script_id, script_type, name, source
FROM __intrinsic_v8_js_script;

-- WebAssembly modules.
CREATE PERFETTO VIEW v8_wasm_script(
  -- Row number.
  v8_wasm_script_id LONG,
  -- Isolate.
  v8_isolate_id JOINID(v8_isolate.v8_isolate_id),
  -- Number of the script in its isolate.
  internal_script_id LONG,
  -- Address that the module was loaded from.
  url STRING,
  -- Bytes of the module, as base64.
  wire_bytes_base64 STRING,
  -- Text, if known.
  source STRING
) AS
SELECT id AS v8_wasm_script_id, v8_isolate_id, internal_script_id, url, wire_bytes_base64, source
FROM __intrinsic_v8_wasm_script;

-- Functions of scripts.
CREATE PERFETTO VIEW v8_js_function(
  -- Row number.
  v8_js_function_id LONG,
  -- Name of the function.
  name STRING,
  -- Script.
  v8_js_script_id JOINID(v8_js_script.v8_js_script_id),
  -- 1 for the code of the script outside of functions.
  is_toplevel LONG,
  -- Kind of function.
  kind STRING,
  -- Line, from 1.
  line LONG,
  -- Column, from 1.
  col LONG
) AS
SELECT id AS v8_js_function_id, name, v8_js_script_id, is_toplevel, kind, line, col
FROM __intrinsic_v8_js_function;

-- Code that was compiled for a function of a script.
CREATE PERFETTO VIEW v8_js_code(
  -- Row number.
  id LONG,
  -- Code.
  jit_code_id JOINID(jit_code.id),
  -- Function.
  v8_js_function_id JOINID(v8_js_function.v8_js_function_id),
  -- Compiler that made the code.
  tier STRING,
  -- Bytecode, as base64.
  bytecode_base64 STRING
) AS
SELECT id, jit_code_id, v8_js_function_id, tier, bytecode_base64 FROM __intrinsic_v8_js_code;

-- Code of the virtual machine itself, such as built-in functions.
CREATE PERFETTO VIEW v8_internal_code(
  -- Row number.
  id LONG,
  -- Code.
  jit_code_id JOINID(jit_code.id),
  -- Isolate.
  v8_isolate_id JOINID(v8_isolate.v8_isolate_id),
  -- Name of the built-in function or stub.
  function_name STRING,
  -- Kind of code.
  code_type STRING
) AS
SELECT id, jit_code_id, v8_isolate_id, function_name, code_type FROM __intrinsic_v8_internal_code;

-- Code that was compiled for a function in WebAssembly.
CREATE PERFETTO VIEW v8_wasm_code(
  -- Row number.
  id LONG,
  -- Code.
  jit_code_id JOINID(jit_code.id),
  -- Isolate.
  v8_isolate_id JOINID(v8_isolate.v8_isolate_id),
  -- Module.
  v8_wasm_script_id JOINID(v8_wasm_script.v8_wasm_script_id),
  -- Name of the function.
  function_name STRING,
  -- Compiler that made the code.
  tier STRING,
  -- Offset in the module, bytes.
  code_offset_in_module LONG
) AS
SELECT id, jit_code_id, v8_isolate_id, v8_wasm_script_id, function_name, tier, code_offset_in_module
FROM __intrinsic_v8_wasm_code;

-- Code of regular expressions.
CREATE PERFETTO VIEW v8_regexp_code(
  -- Row number.
  id LONG,
  -- Code.
  jit_code_id JOINID(jit_code.id),
  -- Isolate.
  v8_isolate_id JOINID(v8_isolate.v8_isolate_id),
  -- Regular expression.
  pattern STRING
) AS
SELECT id, jit_code_id, v8_isolate_id, pattern FROM __intrinsic_v8_regexp_code;
