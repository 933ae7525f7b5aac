SELECT id_a, id_b FROM json_linked_id;
SELECT count(*) AS n, count(DISTINCT class_id) AS classes FROM json_id_class;
