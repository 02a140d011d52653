-- Keeps the total of users.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM totals WHERE name = 'users';
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM add_to_total('users', count(*), 0) FROM added HAVING count(*) > 0;
  ELSE
    PERFORM add_to_total('users', -count(*), 0) FROM removed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER users_count_new AFTER INSERT ON users REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_users();

CREATE TRIGGER users_count_removed AFTER DELETE ON users REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_users();

CREATE TRIGGER users_count_none AFTER TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION count_users();
