SELECT pid, name FROM process WHERE pid >= 100 ORDER BY pid;
