SELECT start_address, size, protection_text, file, pss, private_clean AS pc, private_dirty AS pd, shared_clean AS sc, shared_dirty AS sd, swapped FROM json_memory_region ORDER BY start_address;
