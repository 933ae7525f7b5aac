SELECT f.name, m.name AS mapping FROM stack_profile_frame f JOIN stack_profile_mapping m ON f.mapping = m.id ORDER BY m.name;
