-- A spot starts closed and empty and keeps its event and side. Only a closed spot can have `won`. A destroyed spot stays
-- destroyed.
CREATE TRIGGER spots_start BEFORE INSERT ON spots FOR EACH ROW
  WHEN (NEW.state <> 'closed' OR NEW.won IS NOT NULL OR NEW.calls_count <> 0 OR NEW.pool_cents <> 0)
  EXECUTE FUNCTION deny_start();

-- Only the triggers of calls and events change the counters.
CREATE TRIGGER spots_counters BEFORE UPDATE OF calls_count, pool_cents ON spots FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER spots_terms BEFORE UPDATE OF id, event_id, side ON spots FOR EACH ROW
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER spots_transition BEFORE UPDATE OF state, won ON spots FOR EACH ROW
  WHEN (
    (NEW.state <> OLD.state AND OLD.state = 'soft_destroyed')
    OR (NEW.won IS DISTINCT FROM OLD.won AND NEW.state <> 'closed')
    OR (NEW.state = 'open' AND NEW.won IS NOT NULL)
  ) EXECUTE FUNCTION deny_transition();
