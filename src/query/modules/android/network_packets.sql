-- Network packets.

INCLUDE PERFETTO MODULE std.metasql.unparenthesize;

-- Packets and groups of packets.
CREATE PERFETTO VIEW android_network_packets(
  -- Slice.
  id ID,
  -- Start, ns.
  ts TIMESTAMP,
  -- Duration, ns.
  dur DURATION,
  -- Name of the interface and direction.
  track_name STRING,
  -- Package that the socket belongs to.
  package_name STRING,
  -- Network interface.
  iface STRING,
  -- Received or Transmitted.
  direction STRING,
  -- Number of packets.
  packet_count LONG,
  -- Size of the packets, bytes.
  packet_length LONG,
  -- Protocol, such as IPPROTO_TCP.
  packet_transport STRING,
  -- Flags of TCP.
  packet_tcp_flags LONG,
  -- Tag of the socket, in hex.
  socket_tag STRING,
  -- User id that the socket belongs to.
  socket_uid LONG,
  -- Port on the device.
  local_port LONG,
  -- Port of the peer.
  remote_port LONG,
  -- Type of ICMP.
  packet_icmp_type LONG,
  -- Code of ICMP.
  packet_icmp_code LONG,
  -- Flags of TCP as a number.
  packet_tcp_flags_int LONG,
  -- Tag of the socket as a number.
  socket_tag_int LONG
) AS
SELECT
  s.id, s.ts, s.dur, t.name AS track_name, s.name AS package_name,
  extract_arg(t.dimension_arg_set_id, 'net_interface') AS iface,
  extract_arg(t.dimension_arg_set_id, 'net_direction') AS direction,
  coalesce(extract_arg(s.arg_set_id, 'packet_count'), 1) AS packet_count,
  extract_arg(s.arg_set_id, 'packet_length') AS packet_length,
  extract_arg(s.arg_set_id, 'packet_transport') AS packet_transport,
  extract_arg(s.arg_set_id, 'packet_tcp_flags') AS packet_tcp_flags,
  extract_arg(s.arg_set_id, 'socket_tag') AS socket_tag,
  extract_arg(s.arg_set_id, 'socket_uid') AS socket_uid,
  extract_arg(s.arg_set_id, 'local_port') AS local_port,
  extract_arg(s.arg_set_id, 'remote_port') AS remote_port,
  extract_arg(s.arg_set_id, 'packet_icmp_type') AS packet_icmp_type,
  extract_arg(s.arg_set_id, 'packet_icmp_code') AS packet_icmp_code,
  extract_arg(s.arg_set_id, 'packet_tcp_flags_int') AS packet_tcp_flags_int,
  extract_arg(s.arg_set_id, 'socket_tag_int') AS socket_tag_int
FROM slice AS s
JOIN track AS t ON s.track_id = t.id
WHERE t.type = 'network_packets';

-- Rows of a table with a number for each run of overlapping rows.
CREATE PERFETTO MACRO _add_overlap_group_id(
  -- Table with columns ts, dur and the partition columns.
  src TableOrSubquery,
  -- Columns that define the partitions, in brackets.
  partition_columns ColumnNameList
)
-- The rows with column group_id.
RETURNS TableOrSubquery AS
(
  SELECT
    *,
    sum(is_first) OVER (
      PARTITION BY __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns)
      ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS group_id
  FROM (
    SELECT
      *,
      coalesce(
        ts > max(ts + dur) OVER (
          PARTITION BY __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns)
          ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        1
      ) AS is_first
    FROM $src
  )
);

-- Intervals in which a network stays up because of packets: each keeps it up for a time after its
-- end.
CREATE PERFETTO MACRO android_network_uptime_spans(
  -- Table with columns ts, dur, packet_count, packet_length and the partition columns.
  src TableOrSubquery,
  -- Columns that define the partitions, in brackets.
  partition_columns ColumnNameList,
  -- Time for which the network stays up after a packet, ns.
  timeout Expr
)
-- Rows of the partition columns, ts, dur, packet_count, packet_length.
RETURNS TableOrSubquery AS
(
  SELECT
    __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns),
    min(ts) AS ts, max(ts + dur) - min(ts) AS dur, sum(packet_count) AS packet_count,
    sum(packet_length) AS packet_length
  FROM _add_overlap_group_id!(
    (
      SELECT
        __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns),
        ts, max(dur, 0) + $timeout AS dur, packet_count, packet_length
      FROM $src
    ),
    $partition_columns
  )
  GROUP BY __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns), group_id
);

-- Time for which the packets of each partition kept the network up when no other did.
CREATE PERFETTO MACRO android_network_uptime_cost(
  -- Table with columns ts, dur, packet_count, packet_length and the partition columns.
  src TableOrSubquery,
  -- Columns that define the partitions, in brackets.
  partition_columns ColumnNameList,
  -- Time for which the network stays up after a packet, ns.
  timeout Expr
)
-- Rows of the partition columns, packet_count, packet_length, cost (ns).
RETURNS TableOrSubquery AS
(
  SELECT
    __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns),
    sum(packet_count) AS packet_count, sum(packet_length) AS packet_length,
    sum(max(0, ts + dur - max(ts, coalesce(covered, ts)))) AS cost
  FROM (
    SELECT
      *,
      max(ts + dur) OVER (ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered
    FROM android_network_uptime_spans!($src, $partition_columns, $timeout)
  )
  GROUP BY __intrinsic_token_apply!(__unparenthesize_identity, $partition_columns)
);
