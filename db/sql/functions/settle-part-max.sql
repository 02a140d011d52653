-- settle_part_max(): the number of calls that one part of a settlement pays. Most settlements are one part.
-- A part locks the wallets of its players until it commits. With parts of 500 the whole takes hardly longer than with parts of
-- 1,000, and a player who places a call meanwhile waits half as long.
CREATE FUNCTION settle_part_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 500 $$;
