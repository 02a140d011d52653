-- draw_lock_tokens(kinds, ids): a fencing token for each of these locks, in their order. The caller holds the lock already, so every
-- later holder gets a higher one. p_kinds and p_ids are as in check_fence.
-- A token is also above the stored one, which may be of the former release and of a clock that is ahead, or of a sequence that was
-- reset. So no holder is refused for the tokens of an earlier one.
CREATE FUNCTION draw_lock_tokens(p_kinds text[], p_ids bigint[]) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
  v_stored bigint;
BEGIN
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_stored := CASE p_kinds[i]
      WHEN 'event' THEN (SELECT fence FROM events WHERE id = p_ids[i])
      WHEN 'session' THEN (SELECT fence FROM sessions WHERE id = p_ids[i])
      WHEN 'wallet' THEN (SELECT fence FROM accounts WHERE user_id = p_ids[i] AND kind = 'wallet')
    END;
    RETURN NEXT greatest(nextval('lock_tokens'), v_stored + 1);
  END LOOP;
END $$;
