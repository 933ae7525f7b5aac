SELECT json_id_canonical('0x48') AS a, json_id_canonical('072') AS b, json_id_canonical('0xzz') AS c, reserved_color('good') AS d, reserved_color('mauve') AS e, string_color('a') AS f;
