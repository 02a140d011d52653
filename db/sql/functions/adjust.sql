-- adjust(user, amount, key, actor, reason): corrects a wallet manually, against the house account. Signed whole cents.
-- Returns the journal's id. Refuses LK006 without a reason, LK005 for more than $10,000.00 by a role that could not write the journal by
-- hand, and the cases of book().
CREATE FUNCTION adjust(p_user bigint, p_amount bigint, p_key text, p_actor bigint, p_reason text)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(length(p_reason), 0) = 0 THEN
    PERFORM refuse('LK006', 'reason is required');
  ELSIF abs(p_amount) > 1000000 AND NOT has_table_privilege(session_user, 'public.journal', 'UPDATE') THEN
    PERFORM refuse('LK005', 'is more than one adjustment moves');
  END IF;
  RETURN book('adjust', 'adjust-' || p_key, p_user, p_amount, 'house', p_actor, p_reason);
END $$;
