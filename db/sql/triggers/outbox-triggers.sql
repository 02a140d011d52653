-- A fact keeps what it says, is deleted only after it was broadcast, and the table is never emptied: players would miss what happened.
CREATE TRIGGER outbox_unsent_stays BEFORE DELETE ON outbox FOR EACH ROW
  WHEN (OLD.sent_at IS NULL) EXECUTE FUNCTION deny_transition();

-- What the application has marked as sent stays so, and is deleted an hour later: marking and deleting at once would hide a fact.
CREATE TRIGGER outbox_marked_once AFTER UPDATE OF sent_at ON outbox FOR EACH ROW
  WHEN (writes_directly() AND (OLD.sent_at IS NOT NULL OR NEW.sent_at IS NULL
    OR NEW.sent_at NOT BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() + interval '1 minute'))
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER outbox_sent_stays BEFORE DELETE ON outbox FOR EACH ROW
  WHEN (OLD.sent_at > clock_timestamp() - interval '50 minutes' AND writes_directly()) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER outbox_terms BEFORE UPDATE OF id, kind, payload, created_at ON outbox FOR EACH ROW
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER outbox_not_emptied BEFORE TRUNCATE ON outbox
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
