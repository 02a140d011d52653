-- decide_at_once_max(): with up to this many calls, a person's result is decided within the request. Deciding takes about 10 us a call,
-- and a request should answer within a second; with more calls a worker decides.
CREATE FUNCTION decide_at_once_max() RETURNS int LANGUAGE sql STABLE AS $$ SELECT 50000 $$;
