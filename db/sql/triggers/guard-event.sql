-- The legal changes of an event's state, round and result; all others raise check_violation.
-- src/show/events/contract.ts has the same transitions with their names (eventTransitions). A test compares the two.
CREATE FUNCTION guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  resets boolean := NEW.state = 'draft' AND OLD.state <> 'draft';
BEGIN
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('draft', 'visible'), ('visible', 'open'), ('open', 'closed'), ('closed', 'resolved'),
    ('visible', 'draft'), ('open', 'draft'), ('closed', 'draft'), ('resolved', 'draft'), ('hidden', 'draft'), -- reset
    ('visible', 'hidden'), ('resolved', 'hidden'), ('open', 'hidden'), ('closed', 'hidden'),            -- hide and skip
    ('hidden', 'visible'), ('hidden', 'resolved'),                                                            -- show
    ('draft', 'soft_destroyed'), ('visible', 'soft_destroyed'), ('hidden', 'soft_destroyed')
  ) THEN
    RAISE EXCEPTION 'illegal change of event %: % -> %', OLD.id, OLD.state, NEW.state USING ERRCODE = '23514';
  END IF;
  -- A reset starts a new round, and only a reset does.
  IF NEW.round <> OLD.round + resets::int THEN
    RAISE EXCEPTION 'illegal round of event %: % -> %', OLD.id, OLD.round, NEW.round USING ERRCODE = '23514';
  END IF;
  -- A result is set by resolving, changed by resolving again, and removed only by a reset.
  IF NEW.result IS DISTINCT FROM OLD.result AND NOT (
    (OLD.state = 'closed' AND NEW.state = 'resolved')
    OR (OLD.state = 'resolved' AND NEW.state = 'resolved' AND NEW.result IS NOT NULL)
    OR (resets AND NEW.result IS NULL)
  ) THEN
    RAISE EXCEPTION 'illegal result of event %: % -> %', OLD.id, OLD.result, NEW.result USING ERRCODE = '23514';
  END IF;
  -- An event can leave the show only without active calls. (In a hidden event with a result they are being paid.) A reset also
  -- needs a paid void of the settlement, if there is one.
  IF NEW.state <> OLD.state AND NEW.state IN ('draft', 'hidden', 'soft_destroyed')
    AND NOT (NEW.state = 'hidden' AND NEW.result IS NOT NULL)
    AND EXISTS (SELECT 1 FROM calls WHERE event_id = OLD.id AND state IN ('placed', 'closed'))
  THEN
    RAISE EXCEPTION 'event % has active calls', OLD.id USING ERRCODE = '23514';
  END IF;
  IF resets AND EXISTS (
    SELECT 1 FROM settlements WHERE event_id = OLD.id AND round = OLD.round AND NOT superseded
      AND (result <> 'void' OR paid_at IS NULL)
  ) THEN
    RAISE EXCEPTION 'event % has a settlement that is not reversed', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER events_guard BEFORE UPDATE OF state, round, result ON events FOR EACH ROW
  WHEN ((NEW.state, NEW.round, NEW.result) IS DISTINCT FROM (OLD.state, OLD.round, OLD.result))
  EXECUTE FUNCTION guard_event();
