-- judge_calls_one_by_one(again, ...): judges the calls at these positions of a batch again, each after the earlier calls of
-- its player. p_again is ordered by player and position. The other arrays are those of judge_calls.
-- Returns v_code and v_call with the elements at these positions replaced.
-- Example: with 100 cents, wagers of 60, 50 and 40 are placed, insufficient and placed.
CREATE FUNCTION judge_calls_one_by_one(
  p_again int[], p_users bigint[], p_spots bigint[], p_wagers bigint[], p_keys text[], p_base text[],
  p_event bigint[], p_available bigint[], p_remaining bigint[], p_housed boolean[],
  INOUT v_code text[], INOUT v_call bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  k int;
  earlier int;
  spent bigint;
  spent_on_event bigint;
BEGIN
  FOR i IN 1 .. cardinality(p_again) LOOP
    k := p_again[i];
    v_code[k] := NULL;
    v_call[k] := NULL;
    spent := 0;
    spent_on_event := 0;
    FOR j IN REVERSE i - 1 .. 1 LOOP
      earlier := p_again[j];
      EXIT WHEN p_users[earlier] <> p_users[k];
      CONTINUE WHEN v_code[earlier] <> 'placed';
      IF p_keys[earlier] = p_keys[k] THEN
        v_code[k] := CASE WHEN p_spots[earlier] = p_spots[k] AND p_wagers[earlier] = p_wagers[k] THEN 'replayed'
          ELSE 'key_reused' END;
        v_call[k] := v_call[earlier];
      END IF;
      spent := spent + p_wagers[earlier];
      IF p_event[earlier] = p_event[k] THEN
        spent_on_event := spent_on_event + p_wagers[earlier];
      END IF;
    END LOOP;
    v_code[k] := CASE
      WHEN v_code[k] IS NOT NULL THEN v_code[k]
      WHEN p_base[k] IS NOT NULL THEN p_base[k]
      WHEN spent_on_event + p_wagers[k] > p_remaining[k] THEN 'over_max'
      WHEN spent + p_wagers[k] > p_available[k] AND NOT (spent = 0 AND p_housed[k]) THEN 'insufficient'
      ELSE 'placed'
    END;
    IF v_code[k] = 'placed' THEN
      v_call[k] := nextval('calls_id_seq');
    END IF;
  END LOOP;
END $$;
