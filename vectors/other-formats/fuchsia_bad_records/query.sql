SELECT name, category, ts FROM slice ORDER BY ts;
SELECT name, value FROM stats WHERE value > 0 AND severity IN ('error', 'data_loss') ORDER BY name;
