-- Traces of input methods.

-- States of the clients of input methods.
CREATE PERFETTO VIEW android_inputmethod_clients(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the message.
  arg_set_id ARGSETID
) AS
SELECT id, ts, arg_set_id
FROM __intrinsic_inputmethod_clients;

-- States of the service that manages input methods.
CREATE PERFETTO VIEW android_inputmethod_manager_service(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the message.
  arg_set_id ARGSETID
) AS
SELECT id, ts, arg_set_id
FROM __intrinsic_inputmethod_manager_service;

-- States of input methods.
CREATE PERFETTO VIEW android_inputmethod_service(
  -- Row number.
  id LONG,
  -- Time, ns.
  ts TIMESTAMP,
  -- Args of the message.
  arg_set_id ARGSETID
) AS
SELECT id, ts, arg_set_id
FROM __intrinsic_inputmethod_service;
