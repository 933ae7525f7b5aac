select c.name, location, c.deobfuscated_name from heap_graph_class c order by c.id;
