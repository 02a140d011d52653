-- settle_part_max(): the number of calls that the first part of a settlement pays. Most settlements are one part.
-- A part locks the wallets of its players until it commits. The next parts are as large as the time of the part before allows
-- (src/play/settlements/pay-settlement.ts).
CREATE FUNCTION settle_part_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 500 $$;
