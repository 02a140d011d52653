-- A session starts as pending, its state changes only as listed here, and its lock tokens only increase: see accounts-triggers.sql.
CREATE TRIGGER sessions_start BEFORE INSERT ON sessions FOR EACH ROW
  WHEN (NEW.state <> 'pending') EXECUTE FUNCTION deny_start();

CREATE TRIGGER sessions_guard BEFORE UPDATE ON sessions FOR EACH ROW
  WHEN (
    NEW.id <> OLD.id OR NEW.fence < OLD.fence
    OR (NEW.fence <> OLD.fence AND NEW.fence > extract(epoch FROM clock_timestamp() + interval '1 day') * 1000000)
    OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
      ('pending', 'running'), ('running', 'paused'), ('paused', 'running'), ('running', 'stopped'),
      ('paused', 'stopped'),
      ('running', 'pending'), ('paused', 'pending'), ('stopped', 'running'))) -- taken back
    OR (OLD.state = 'stopped' AND NEW.state = 'running' AND OLD.before_stop IS NULL)
  ) EXECUTE FUNCTION deny_transition();
