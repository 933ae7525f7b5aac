SELECT name, depth FROM slice ORDER BY name;
