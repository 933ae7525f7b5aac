select o.id, c.name as cls, self_size, native_size, reference_set_id, reachable, heap_type, root_type from heap_graph_object o left join heap_graph_class c on c.id=o.type_id order by o.id;
