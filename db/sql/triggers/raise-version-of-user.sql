-- raise_version_of_user(): a change of a user's roles increases the version of the user.
CREATE FUNCTION raise_version_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET version = version + 1 WHERE id = coalesce(NEW.user_id, OLD.user_id);
  RETURN NULL;
END $$;

CREATE TRIGGER user_roles_version AFTER INSERT OR DELETE ON user_roles FOR EACH ROW
  EXECUTE FUNCTION raise_version_of_user();
