-- settle_part_max(): how many calls one part of a large settlement pays.
-- A part locks the wallets of its players until it commits. Parts of 500 cost hardly more commits than parts of 1,000, and
-- a player who places a call meanwhile waits half as long.
CREATE FUNCTION settle_part_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 500 $$;
