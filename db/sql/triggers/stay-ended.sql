-- What has ended or was revoked stays so.
CREATE TRIGGER sign_ins_stay_ended AFTER UPDATE OF ended_at ON sign_ins FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at AND writes_directly())
  EXECUTE FUNCTION deny_personal();

CREATE TRIGGER access_tokens_stay_revoked AFTER UPDATE OF revoked_at ON access_tokens FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at AND writes_directly())
  EXECUTE FUNCTION deny_personal();

CREATE TRIGGER shares_stay_revoked AFTER UPDATE OF revoked_at ON shares FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at AND writes_directly())
  EXECUTE FUNCTION deny_personal();
