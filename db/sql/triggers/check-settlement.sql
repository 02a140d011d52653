-- The payouts of a settlement must sum to the pool plus the refunds, to the cent. Checked at commit.
CREATE FUNCTION check_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.pool_cents + NEW.refunded_cents
    <> (SELECT coalesce(sum(payout_cents), 0) FROM settlement_lines WHERE settlement_id = NEW.id)
  THEN
    RAISE EXCEPTION 'settlement % does not conserve the pool', NEW.id USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER settlements_conserve AFTER INSERT ON settlements DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_settlement();
