-- require_deed(): an audit line of the application says now what its own transaction has done: at the commit, its subject has been changed, added or
-- deleted by this transaction. So no line is invented, and none is dated back. (Which admin has asked is what the application says.)
CREATE FUNCTION require_deed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tx xid := pg_current_xact_id()::xid;
  v_done boolean;
BEGIN
  v_done := CASE NEW.subject_type
    WHEN 'event' THEN NOT EXISTS (SELECT 1 FROM events e WHERE e.id = NEW.subject_id)
      OR EXISTS (SELECT 1 FROM events e WHERE e.id = NEW.subject_id AND e.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM spots s WHERE s.event_id = NEW.subject_id AND s.xmin = v_tx)
    WHEN 'session' THEN NEW.action = 'recompute_scores' -- which may find nothing to repair
      OR NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = NEW.subject_id)
      OR EXISTS (SELECT 1 FROM sessions s WHERE s.id = NEW.subject_id AND s.xmin = v_tx)
    WHEN 'user' THEN EXISTS (SELECT 1 FROM users u WHERE u.id = NEW.subject_id AND u.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = NEW.subject_id AND a.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM mutes m WHERE m.user_id = NEW.subject_id AND m.session_id = NEW.session_id AND m.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM removed_players x
        WHERE x.user_id = NEW.subject_id AND x.session_id = NEW.session_id AND x.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM registrations g
        WHERE g.user_id = NEW.subject_id AND g.session_id = NEW.session_id AND g.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM session_hosts h
        WHERE h.user_id = NEW.subject_id AND h.session_id = NEW.session_id AND h.xmin = v_tx)
      OR NEW.action = 'remove_session_host' AND NOT EXISTS (
        SELECT 1 FROM session_hosts h WHERE h.user_id = NEW.subject_id AND h.session_id = NEW.session_id)
      OR EXISTS (SELECT 1 FROM breaks b WHERE b.user_id = NEW.subject_id AND b.xmin = v_tx)
      OR EXISTS (SELECT 1 FROM notifications n WHERE n.user_id = NEW.subject_id AND n.xmin = v_tx)
      OR (NEW.action = 'readmit') <> EXISTS (
        SELECT 1 FROM exclusions x WHERE x.user_id = NEW.subject_id AND x.session_id IS NOT DISTINCT FROM NEW.session_id
          AND (NEW.action = 'readmit' OR x.xmin = v_tx))
    WHEN 'payment' THEN EXISTS (SELECT 1 FROM chargebacks c WHERE c.payment_id = NEW.subject_id AND c.xmin = v_tx)
    WHEN 'payment_flag' THEN EXISTS (SELECT 1 FROM payment_flags f WHERE f.id = NEW.subject_id AND f.xmin = v_tx)
    WHEN 'message' THEN EXISTS (SELECT 1 FROM messages m WHERE m.id = NEW.subject_id AND m.xmin = v_tx)
    WHEN 'access_token' THEN EXISTS (SELECT 1 FROM access_tokens t WHERE t.id = NEW.subject_id AND t.xmin = v_tx)
    WHEN 'webhook' THEN NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = NEW.subject_id AND w.xmin <> v_tx)
      OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = NEW.subject_id AND d.xmin = v_tx)
    WHEN 'switch' THEN NOT EXISTS (SELECT 1 FROM switched_off s WHERE s.id = NEW.subject_id AND s.xmin <> v_tx)
    WHEN 'invitation' THEN EXISTS (SELECT 1 FROM invitations i WHERE i.id = NEW.subject_id AND i.xmin = v_tx)
    WHEN 'season' THEN NOT EXISTS (SELECT 1 FROM seasons s WHERE s.id = NEW.subject_id AND s.xmin <> v_tx)
    WHEN 'blueprint' THEN NOT EXISTS (SELECT 1 FROM blueprints b WHERE b.id = NEW.subject_id AND b.xmin <> v_tx)
    WHEN 'blueprint_event' THEN NOT EXISTS (SELECT 1 FROM blueprint_events b WHERE b.id = NEW.subject_id AND b.xmin <> v_tx)
    ELSE NEW.actor_id IS NULL OR NEW.action = 'recompute_scores' -- the start of a process
  END;
  IF v_done THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit: % of % % has not been done', NEW.action, NEW.subject_type, NEW.subject_id USING ERRCODE = '23514',
    CONSTRAINT = TG_NAME;
END $$;

CREATE CONSTRAINT TRIGGER audit_of_deed AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_deed();
