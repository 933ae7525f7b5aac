-- Metadata of Chrome.

-- The hardware class of a ChromeOS device; NULL if the trace does not have it.
CREATE PERFETTO FUNCTION chrome_hardware_class()
-- Text.
RETURNS STRING AS
SELECT extract_metadata('cr-hardware-class');
