-- A fact keeps what it says, is deleted only after it was broadcast, and the table is never emptied: players would miss what happened.
CREATE TRIGGER outbox_unsent_stays BEFORE DELETE ON outbox FOR EACH ROW
  WHEN (OLD.sent_at IS NULL) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER outbox_terms BEFORE UPDATE OF id, kind, payload, created_at ON outbox FOR EACH ROW
  EXECUTE FUNCTION deny_transition();

CREATE TRIGGER outbox_not_emptied BEFORE TRUNCATE ON outbox
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
