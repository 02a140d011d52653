-- judge_deposit(): the statement that begins a checkout asks whether its player may pay so much: is on no break, and stays within the
-- own limits and the site's, which the row says. The player's wallet is taken first, so that checkouts of one player are counted
-- one after the other, by all processes. A checkout that is there already, by its reference, is not judged again.
-- Refuses LK010 a break, LK011 a limit.
CREATE FUNCTION judge_deposit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_wallet(NEW.user_id);
  IF EXISTS (SELECT 1 FROM payments p WHERE p.provider = NEW.provider AND p.reference = NEW.reference) THEN
    RETURN NEW;
  ELSIF EXISTS (SELECT 1 FROM breaks b WHERE b.user_id = NEW.user_id AND b.ends_at > game_now()) THEN
    PERFORM refuse('LK010', 'the player is on a break');
  ELSIF EXISTS (
    SELECT 1 FROM deposit_room(NEW.user_id, NEW.site_limit_cents) r WHERE r.left_cents < NEW.amount_cents
  ) THEN
    PERFORM refuse('LK011', 'a limit for deposits is reached');
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER payments_judged BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION judge_deposit();
