-- deny_transition(): trigger function that refuses a change of a row (check_violation). The trigger selects the changes.
-- Triggers that name columns (UPDATE OF) are cheaper than triggers that compare columns in WHEN: every statement parses the
-- WHEN clauses of its table again.
CREATE FUNCTION deny_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'illegal change of %: % -> %', TG_TABLE_NAME, OLD, NEW USING ERRCODE = '23514';
END $$;
