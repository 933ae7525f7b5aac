select name,value from stats where value!=0;
