-- A part locks the wallets of its players for as long as it takes. Half as many calls cost hardly more commits, and whoever
-- places a call meanwhile waits half as long.
CREATE OR REPLACE FUNCTION settle_part_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 500 $$;
