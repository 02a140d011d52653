-- require_audit(subject, column[, session[, actions]]): at the commit, what the application has changed by itself needs an audit line of
-- the same transaction. So no event, session, role or refund changes unnoticed: an audit line cannot be removed, and is sealed within seconds.
-- subject is the line's subject type, column the column of the row that has its id, session the one with the session, actions what the
-- line must say. A line about the session is enough for its events, because a change of one plans others.
-- The lines of a session are read from the newest, which is this transaction's: so it takes as long in a long show as in a short one.
CREATE FUNCTION require_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tx xid := pg_current_xact_id()::xid;
  v_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  v_subject bigint := (v_row ->> TG_ARGV[1])::bigint;
  v_session bigint := (v_row ->> TG_ARGV[2])::bigint;
  v_actions text[] := TG_ARGV[3]::text[];
BEGIN
  IF v_row -> 'guest' = 'true' AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.user_id = v_subject) THEN
    RETURN NULL; -- a guest who has never played is removed without a line
  ELSIF TG_TABLE_NAME = 'spots' THEN
    SELECT session_id INTO v_session FROM events WHERE id = v_subject;
    IF NOT FOUND THEN
      RETURN NULL; -- its event was deleted too, which needs a line itself
    END IF;
  END IF;
  IF EXISTS (
    SELECT 1 FROM (SELECT a.xmin AS written_by, a.action FROM audit a WHERE a.session_id = v_session ORDER BY a.id DESC LIMIT 300) line
    WHERE line.written_by = v_tx AND (v_actions IS NULL OR line.action = ANY (v_actions))
  ) OR EXISTS (
    SELECT 1 FROM audit a WHERE a.subject_type = TG_ARGV[0] AND a.subject_id = v_subject AND a.xmin = v_tx
      AND (v_actions IS NULL OR a.action = ANY (v_actions))
  ) THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% of %: no audit line says so', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = '23514',
    CONSTRAINT = TG_NAME;
END $$;

CREATE CONSTRAINT TRIGGER events_audited AFTER INSERT OR UPDATE OR DELETE ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('event', 'id', 'session_id');

CREATE CONSTRAINT TRIGGER spots_audited AFTER INSERT OR UPDATE OR DELETE ON spots DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('event', 'event_id');

CREATE CONSTRAINT TRIGGER sessions_audited AFTER INSERT OR UPDATE OR DELETE ON sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('session', 'id', 'id');

CREATE CONSTRAINT TRIGGER user_roles_audited AFTER INSERT OR UPDATE OR DELETE ON user_roles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (writes_directly()) EXECUTE FUNCTION require_audit('user', 'user_id', '', '{change_roles,delete_account}');

CREATE CONSTRAINT TRIGGER session_hosts_audited AFTER INSERT OR UPDATE OR DELETE ON session_hosts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (writes_directly())
  EXECUTE FUNCTION require_audit('user', 'user_id', '', '{add_session_host,remove_session_host,delete_account}');

-- An account that is switched off or on, or deleted.
CREATE CONSTRAINT TRIGGER users_audited AFTER UPDATE OF deactivated_at, deleted_at ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (writes_directly()
    AND (OLD.deactivated_at, OLD.deleted_at) IS DISTINCT FROM (NEW.deactivated_at, NEW.deleted_at))
  EXECUTE FUNCTION require_audit('user', 'id', '', '{deactivate,reactivate,delete_account}');

CREATE CONSTRAINT TRIGGER exclusions_audited AFTER INSERT OR DELETE ON exclusions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('user', 'user_id', '', '{exclude,readmit,delete_account}');

CREATE CONSTRAINT TRIGGER mutes_audited AFTER INSERT OR UPDATE ON mutes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('user', 'user_id', 'session_id', '{mute}');

CREATE CONSTRAINT TRIGGER access_tokens_audited AFTER INSERT ON access_tokens DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('access_token', 'id', '', '{make_access_token}');

CREATE CONSTRAINT TRIGGER chargebacks_audited AFTER INSERT ON chargebacks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('payment', 'payment_id', '', '{refund_payment}');

-- A break that its player has not begun.
CREATE CONSTRAINT TRIGGER breaks_audited AFTER INSERT ON breaks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly() AND NEW.actor_id IS NOT NULL) EXECUTE FUNCTION require_audit('user', 'user_id', '', '{lengthen_break}');

-- A flag closes without an admin only when its message is accepted: a check of the books compares that.
CREATE CONSTRAINT TRIGGER payment_flags_audited AFTER UPDATE OF closed_at, closed_by, note ON payment_flags
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly() AND (OLD.closed_at IS NOT NULL OR num_nonnulls(NEW.closed_by, NEW.note) > 0))
  EXECUTE FUNCTION require_audit('payment_flag', 'id', '', '{close_payment_flag}');

CREATE CONSTRAINT TRIGGER webhooks_audited AFTER INSERT OR DELETE ON webhooks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('webhook', 'id');

CREATE CONSTRAINT TRIGGER webhooks_changed_audited AFTER UPDATE ON webhooks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly() AND (OLD.name, OLD.url, OLD.format, OLD.session_ids, OLD.kinds, OLD.secret_salt, OLD.previous_salt, OLD.previous_until, OLD.disabled_at) IS DISTINCT FROM
    (NEW.name, NEW.url, NEW.format, NEW.session_ids, NEW.kinds, NEW.secret_salt, NEW.previous_salt, NEW.previous_until, NEW.disabled_at))
  EXECUTE FUNCTION require_audit('webhook', 'id');

CREATE CONSTRAINT TRIGGER seasons_audited AFTER INSERT OR UPDATE OR DELETE ON seasons DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('season', 'id');

CREATE CONSTRAINT TRIGGER switched_off_audited AFTER INSERT OR UPDATE OR DELETE ON switched_off DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('switch', 'id');

CREATE CONSTRAINT TRIGGER invitations_audited AFTER INSERT OR UPDATE ON invitations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_audit('invitation', 'id');
