-- refund_at_once_max(): up to this many calls are refunded in the transaction of a skip or a reset. With more calls a settlement
-- is large: a void refunds it in parts.
CREATE FUNCTION refund_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 5000 $$;
