SELECT tid, name FROM thread WHERE tid = 1240;
