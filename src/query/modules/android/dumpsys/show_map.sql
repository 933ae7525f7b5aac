-- Memory maps of processes in a bug report: the output of showmap.

-- Mappings of each process, in kB.
CREATE PERFETTO TABLE android_dumpsys_show_map(
  -- Name of the process, as the report has it.
  process_name STRING,
  -- Process number of the operating system.
  pid LONG,
  -- Virtual size, kB.
  vss_kb LONG,
  -- Resident size, kB.
  rss_kb LONG,
  -- Share of the resident size, kB.
  pss_kb LONG,
  -- Clean pages that other processes map, too, kB.
  shared_clean_kb LONG,
  -- Changed pages that other processes map, too, kB.
  shared_dirty_kb LONG,
  -- Clean pages of the process alone, kB.
  private_clean_kb LONG,
  -- Changed pages of the process alone, kB.
  private_dirty_kb LONG,
  -- Swapped pages, kB.
  swap_kb LONG,
  -- Share of the swapped pages, kB.
  swap_pss_kb LONG,
  -- Mapped file.
  mapping_name STRING
) AS
WITH
  line AS (
    SELECT
      id, section, line,
      regexp_extract(section, 'SHOW MAP ([0-9]+)') AS pid,
      regexp_extract(section, 'SHOW MAP [0-9]+: ([^ (]+)') AS process_name,
      -- Blanks of any number are one.
      regexp_replace_simple(trim(line), ' +', ' ') AS text
    FROM android_dumpstate
    WHERE section GLOB '*SHOW MAP*'
  )
SELECT
  process_name, cast_int!(pid) AS pid,
  cast_int!(str_split(text, ' ', 0)) AS vss_kb, cast_int!(str_split(text, ' ', 1)) AS rss_kb,
  cast_int!(str_split(text, ' ', 2)) AS pss_kb,
  cast_int!(str_split(text, ' ', 3)) AS shared_clean_kb,
  cast_int!(str_split(text, ' ', 4)) AS shared_dirty_kb,
  cast_int!(str_split(text, ' ', 5)) AS private_clean_kb,
  cast_int!(str_split(text, ' ', 6)) AS private_dirty_kb,
  cast_int!(str_split(text, ' ', 7)) AS swap_kb, cast_int!(str_split(text, ' ', 8)) AS swap_pss_kb,
  regexp_extract(text, '^(?:[0-9]+ ){9,}([^0-9 ].*)$') AS mapping_name
FROM line
WHERE regexp('^([0-9]+ ){9}', text)
ORDER BY id;
