-- refuse(code, text): raises an expected refusal with this SQLSTATE, which db/ledger/refusal.ts maps to its code.
-- LK002 the idempotency key belongs to another request, LK003 wrong state, LK005 amount, LK006 a reason is required, LK009 stale
-- lock, LK010 a break, LK011 a limit for deposits, LK404 not found. LK000 is an error of the program. What only a bug can attempt raises check_violation (23514).
CREATE FUNCTION refuse(p_code text, p_text text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', p_text USING ERRCODE = p_code;
END $$;
