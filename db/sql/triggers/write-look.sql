-- write_look(): the look of a username in plain ASCII is its small letters. That of any other name is written with it, by lookOfName; a name
-- without one is refused by users_username_look.
CREATE FUNCTION write_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.username_look := lower(NEW.username COLLATE "C");
  RETURN NEW;
END $$;

CREATE TRIGGER users_look BEFORE INSERT OR UPDATE OF username, username_look ON users FOR EACH ROW
  WHEN (NEW.username !~ '[^ -~]') EXECUTE FUNCTION write_look();
