-- add_to_total(name, rows, cents): adds to a part of a total that no other transaction has locked, or to a new part. It never
-- waits, so it has no position in the order of locks.
CREATE FUNCTION add_to_total(p_name text, p_rows bigint, p_cents bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free bigint := (SELECT id FROM totals WHERE name = p_name LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  IF free IS NULL THEN
    INSERT INTO totals (name, rows_count, posted_cents) VALUES (p_name, p_rows, p_cents);
  ELSE
    UPDATE totals SET rows_count = rows_count + p_rows, posted_cents = posted_cents + p_cents WHERE id = free;
  END IF;
END $$;
