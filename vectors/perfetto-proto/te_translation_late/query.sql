select ts, name from slice order by ts;
