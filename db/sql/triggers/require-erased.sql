-- require_erased(): at the commit, the user of the deleted row has deleted the account.
CREATE FUNCTION require_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM users u WHERE u.id = OLD.user_id AND u.deleted_at IS NULL) THEN
    RAISE EXCEPTION 'delete of %: its user has not deleted the account', TG_TABLE_NAME USING ERRCODE = '23514',
      CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;

-- A notice that is not sent yet is not taken back.
CREATE CONSTRAINT TRIGGER mails_notices_stay AFTER DELETE ON mails DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly() AND OLD.sent_at IS NULL AND OLD.failed_at IS NULL
    AND OLD.kind IN ('email_changed', 'password_changed', 'passkey_added', 'passkey_removed', 'provider_linked'))
  EXECUTE FUNCTION require_erased();

CREATE CONSTRAINT TRIGGER audit_personal_stays AFTER DELETE ON audit_personal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_erased();

-- What a player has said about the own spending goes with the account only.
CREATE CONSTRAINT TRIGGER deposit_limits_stay AFTER DELETE ON deposit_limits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_erased();

CREATE CONSTRAINT TRIGGER stated_ages_stay AFTER DELETE ON stated_ages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (writes_directly()) EXECUTE FUNCTION require_erased();

-- A break goes before its end only with its account, of which a hash of the address keeps it (kept_breaks). For the owner too.
CREATE CONSTRAINT TRIGGER breaks_stay AFTER DELETE ON breaks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.ends_at > game_now())
  EXECUTE FUNCTION require_erased();
