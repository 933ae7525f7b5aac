select name, value from stats where value!=0 order by name;
select truncated from heap_graph;
