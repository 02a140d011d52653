-- An event starts as a draft of round 1. Its limits stay while they apply to calls (open, closed, resolved), its session can
-- change only while it is a draft, and its lock tokens only increase: see accounts-triggers.sql.
CREATE TRIGGER events_start BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.state <> 'draft' OR NEW.round <> 1 OR NEW.result IS NOT NULL) EXECUTE FUNCTION deny_start();

CREATE TRIGGER events_terms BEFORE UPDATE ON events FOR EACH ROW
  WHEN (
    NEW.id <> OLD.id OR NEW.fence < OLD.fence
    OR (NEW.fence <> OLD.fence AND NEW.fence > extract(epoch FROM clock_timestamp() + interval '1 day') * 1000000)
    OR (NEW.session_id IS DISTINCT FROM OLD.session_id AND OLD.state <> 'draft')
    OR (OLD.state IN ('open', 'closed', 'resolved') AND (NEW.min_wager_cents, NEW.max_wager_cents)
      IS DISTINCT FROM (OLD.min_wager_cents, OLD.max_wager_cents))
  ) EXECUTE FUNCTION deny_transition();
