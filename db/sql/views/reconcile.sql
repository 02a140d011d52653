-- reconcile: every check of the books, one row each, with how much is wrong (a count, or cents): what wrong_rows lists, counted. All
-- must always be 0. Tests, a job, the operators' page and `bun run reconcile` read it.
CREATE VIEW reconcile AS
  SELECT name, coalesce(sum(bad), 0)::bigint AS bad
  FROM (SELECT name, bad, row_number() OVER () AS place FROM wrong_rows) q
  GROUP BY name ORDER BY min(place);
