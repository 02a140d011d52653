-- deny_change(): refuses every change of append-only tables, and every deletion of rows that others follow from.
-- Raises check_violation, also for the owner of the tables.
CREATE FUNCTION deny_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '23514';
END $$;

-- deny_start(): trigger function that refuses a new row (check_violation). The WHEN clause of the trigger selects the rows.
CREATE FUNCTION deny_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % cannot start like this: %', TG_TABLE_NAME, NEW USING ERRCODE = '23514';
END $$;

-- deny_transition(): trigger function that refuses a change of a row (check_violation). The trigger selects the changes.
-- Triggers that name columns (UPDATE OF) are cheaper than triggers that compare columns in WHEN: every statement parses the
-- WHEN clauses of its table again.
CREATE FUNCTION deny_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'illegal change of %: % -> %', TG_TABLE_NAME, OLD, NEW USING ERRCODE = '23514';
END $$;

-- deny_personal(): refuses a change of a row about a person (check_violation), without its values, which may be secret.
CREATE FUNCTION deny_personal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'illegal change of %', TG_TABLE_NAME USING ERRCODE = '23514';
END $$;
