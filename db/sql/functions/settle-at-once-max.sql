-- settle_at_once_max(): up to this many calls are paid in the transaction that decides. A large settlement, with more calls,
-- is paid in parts afterwards.
CREATE FUNCTION settle_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 5000 $$;
