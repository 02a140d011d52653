-- tampering: the checks of tampered_rows, counted. Release 0.3.0 has the right to read it.
CREATE VIEW tampering AS
  SELECT name, coalesce(sum(bad), 0)::bigint AS bad FROM tampered_rows GROUP BY name;
