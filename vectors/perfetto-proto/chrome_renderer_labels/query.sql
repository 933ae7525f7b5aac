select pid, name from process where pid!=0;
