SELECT name, ts FROM slice ORDER BY ts, name;
SELECT m.id, m.android_build_fingerprint AS build FROM machine m ORDER BY m.id;
SELECT rule FROM placement ORDER BY trace_id;
