-- deny_start(): trigger function that refuses a new row (check_violation). The WHEN clause of the trigger selects the rows.
CREATE FUNCTION deny_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % cannot start like this: %', TG_TABLE_NAME, NEW USING ERRCODE = '23514';
END $$;
