-- A robot has play money for every event. It exists in the demo only, which seeds it as the owner. An account does not become a guest
-- again, and one that was deleted stays so.
CREATE TRIGGER users_no_robot BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.robot AND writes_directly())
  EXECUTE FUNCTION deny_personal();

CREATE TRIGGER users_stay_accounts BEFORE UPDATE OF guest ON users FOR EACH ROW
  WHEN (NEW.guest AND NOT OLD.guest AND writes_directly()) EXECUTE FUNCTION deny_personal();

CREATE TRIGGER users_stay_deleted BEFORE UPDATE OF deleted_at ON users FOR EACH ROW
  WHEN (OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL) EXECUTE FUNCTION deny_personal();
