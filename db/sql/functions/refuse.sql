-- refuse(code, text): raises an expected refusal with this SQLSTATE. db/ledger/refusal.ts maps SQLSTATEs to refusals;
-- db/README.md lists them.
CREATE FUNCTION refuse(p_code text, p_text text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', p_text USING ERRCODE = p_code;
END $$;
