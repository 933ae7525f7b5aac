// Machine code generated at run time, and its scripts and functions of V8.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_JIT_CODE_COLUMNS(C)                                                      \
  C(create_ts, OptInt, None, "Time of generation, ns.")                             \
  C(estimated_delete_ts, OptInt, None, "Time at which other code replaced it, ns.") \
  C(utid, OptRow, None, "Row of thread that generated it.")                         \
  C(start_address, OptInt, None, "Address of the code.")                            \
  C(size, OptInt, None, "Bytes.")                                                   \
  C(function_name, StringId, None, "Function.")                                     \
  C(native_code_base64, StringId, None, "The machine code.")
TB_TABLE(JitCodeTable, "__intrinsic_jit_code", "Machine code generated at run time.",
         TB_JIT_CODE_COLUMNS)

#define TB_V8_ISOLATE_COLUMNS(C)                                                     \
  C(upid, OptRow, None, "Row of process.")                                           \
  C(internal_isolate_id, OptInt, None, "Number of the isolate in the process.")      \
  C(embedded_blob_code_start_address, OptInt, None, "Address of the built-in code.") \
  C(embedded_blob_code_size, OptInt, None, "Bytes.")                                 \
  C(code_range_base_address, OptInt, None, "Address of the code range.")             \
  C(code_range_size, OptInt, None, "Bytes.")                                         \
  C(shared_code_range, OptInt, None, "1 if isolates of the process share it.")       \
  C(embedded_blob_code_copy_start_address, OptInt, None, "Address of a copy of the built-in code.")
TB_TABLE(V8IsolateTable, "__intrinsic_v8_isolate", "Instances of the engine V8.",
         TB_V8_ISOLATE_COLUMNS)

#define TB_V8_JS_SCRIPT_COLUMNS(C)                                            \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")                        \
  C(internal_script_id, OptInt, None, "Number of the script in the isolate.") \
  C(script_type, StringId, None, "NORMAL, EVAL, MODULE ...")                  \
  C(name, StringId, None, "Name or URL.")                                     \
  C(source, StringId, None, "Source text.")
TB_TABLE(V8JsScriptTable, "__intrinsic_v8_js_script", "Scripts that V8 compiled.",
         TB_V8_JS_SCRIPT_COLUMNS)

#define TB_V8_WASM_SCRIPT_COLUMNS(C)                                          \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")                        \
  C(internal_script_id, OptInt, None, "Number of the script in the isolate.") \
  C(url, StringId, None, "URL.")                                              \
  C(wire_bytes_base64, StringId, None, "The module.")                         \
  C(source, StringId, None, "Source text.")
TB_TABLE(V8WasmScriptTable, "__intrinsic_v8_wasm_script", "WebAssembly modules that V8 compiled.",
         TB_V8_WASM_SCRIPT_COLUMNS)

#define TB_V8_JS_FUNCTION_COLUMNS(C)                                    \
  C(name, StringId, None, "Name.")                                      \
  C(v8_js_script_id, OptRow, None, "Row of v8_js_script.")              \
  C(is_toplevel, OptInt, None, "1 if it is the script as a whole.")     \
  C(kind, StringId, None, "NORMAL_FUNCTION, MODULE ...")                \
  C(line, OptInt, None, "Line of its beginning in the script, from 1.") \
  C(col, OptInt, None, "Column of its beginning, from 1.")
TB_TABLE(V8JsFunctionTable, "__intrinsic_v8_js_function", "Functions that V8 compiled.",
         TB_V8_JS_FUNCTION_COLUMNS)

#define TB_V8_JS_CODE_COLUMNS(C)                                                  \
  C(jit_code_id, OptRow, None, "Row of jit_code; none of bytecode.")              \
  C(v8_js_function_id, OptRow, None, "Row of v8_js_function.")                    \
  C(tier, StringId, None, "IGNITION, SPARKPLUG, MAGLEV, TURBOSHAFT or TURBOFAN.") \
  C(bytecode_base64, StringId, None, "The bytecode.")
TB_TABLE(V8JsCodeTable, "__intrinsic_v8_js_code", "Code of functions.", TB_V8_JS_CODE_COLUMNS)

#define TB_V8_INTERNAL_CODE_COLUMNS(C)                 \
  C(jit_code_id, OptRow, None, "Row of jit_code.")     \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.") \
  C(function_name, StringId, None, "Name.")            \
  C(code_type, StringId, None, "BUILTIN, WASM_FUNCTION ...")
TB_TABLE(V8InternalCodeTable, "__intrinsic_v8_internal_code", "V8's own code.",
         TB_V8_INTERNAL_CODE_COLUMNS)

#define TB_V8_WASM_CODE_COLUMNS(C)                             \
  C(jit_code_id, OptRow, None, "Row of jit_code.")             \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")         \
  C(v8_wasm_script_id, OptRow, None, "Row of v8_wasm_script.") \
  C(function_name, StringId, None, "Name.")                    \
  C(tier, StringId, None, "LIFTOFF or TURBOFAN.")              \
  C(code_offset_in_module, OptInt, None, "Bytes.")
TB_TABLE(V8WasmCodeTable, "__intrinsic_v8_wasm_code", "Code of WebAssembly functions.",
         TB_V8_WASM_CODE_COLUMNS)

#define TB_V8_REGEXP_CODE_COLUMNS(C)                   \
  C(jit_code_id, OptRow, None, "Row of jit_code.")     \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.") \
  C(pattern, StringId, None, "Regular expression.")
TB_TABLE(V8RegexpCodeTable, "__intrinsic_v8_regexp_code", "Code of regular expressions.",
         TB_V8_REGEXP_CODE_COLUMNS)

#define TB_JIT_TABLES(TABLE, PLAIN)            \
  PLAIN(JitCodeTable, jit_code)                \
  PLAIN(V8IsolateTable, v8_isolate)            \
  PLAIN(V8JsScriptTable, v8_js_script)         \
  PLAIN(V8WasmScriptTable, v8_wasm_script)     \
  PLAIN(V8JsFunctionTable, v8_js_function)     \
  PLAIN(V8JsCodeTable, v8_js_code)             \
  PLAIN(V8InternalCodeTable, v8_internal_code) \
  PLAIN(V8WasmCodeTable, v8_wasm_code)         \
  PLAIN(V8RegexpCodeTable, v8_regexp_code)

}  // namespace tracebraid
