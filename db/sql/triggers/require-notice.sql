-- require_notice(kind ...): at the commit, what the application has changed of how somebody signs in needs the mail or notification of
-- the same transaction that tells its user. The mail is to go to the address from before the change.
CREATE FUNCTION require_notice() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_tx xid := pg_current_xact_id()::xid;
  v_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
  v_user bigint := coalesce(v_row ->> 'user_id', v_row ->> 'id')::bigint;
BEGIN
  IF EXISTS (
    SELECT 1 FROM mails m WHERE m.user_id = v_user AND m.kind = ANY (TG_ARGV) AND m.xmin = v_tx
      AND (TG_OP <> 'UPDATE' OR m.recipient = coalesce(to_jsonb(OLD) ->> 'email', v_row ->> 'email'))
  ) OR ((TG_TABLE_NAME = 'passkeys' OR TG_OP = 'DELETE') AND EXISTS (
    SELECT 1 FROM notifications n WHERE n.user_id = v_user AND n.kind = 'security' AND n.xmin = v_tx
  )) OR EXISTS (SELECT 1 FROM users u WHERE u.id = v_user AND u.deleted_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% of %: no notice tells the user', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = '23514', CONSTRAINT = TG_NAME;
END $$;

-- A guest has no password and no address; with both the guest becomes an account, and the new address is asked.
CREATE CONSTRAINT TRIGGER users_password_noticed AFTER UPDATE OF password_hash ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (writes_directly() AND NEW.password_hash IS DISTINCT FROM OLD.password_hash)
  EXECUTE FUNCTION require_notice('password_changed', 'confirm_email');

CREATE CONSTRAINT TRIGGER users_email_noticed AFTER UPDATE OF email ON users DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (writes_directly() AND NEW.email IS DISTINCT FROM OLD.email)
  EXECUTE FUNCTION require_notice('email_changed', 'confirm_email', 'provider_linked');

CREATE CONSTRAINT TRIGGER passkeys_noticed AFTER INSERT OR DELETE ON passkeys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_notice('passkey_added', 'passkey_removed');

CREATE CONSTRAINT TRIGGER identities_noticed AFTER INSERT OR DELETE ON identities DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_notice('provider_linked');
