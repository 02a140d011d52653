-- begin_break(): a break begins now and lasts for its period, unless its row says when it ends: it goes on from another account of the
-- player. The player's wallet is taken, so that no call and no checkout is placed after it.
-- Refuses LK003 where a break already lasts as long: none is ended early.
CREATE FUNCTION begin_break() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_wallet(NEW.user_id);
  NEW.ends_at := CASE WHEN NEW.ends_at > game_now() THEN NEW.ends_at ELSE game_now() + CASE NEW.period
    WHEN 'day' THEN interval '24 hours' WHEN 'week' THEN interval '7 days' WHEN 'month' THEN interval '30 days'
    WHEN 'half_year' THEN interval '6 months' WHEN 'year' THEN interval '1 year' ELSE interval '5 years' END END;
  NEW.began_at := game_now();
  IF EXISTS (SELECT 1 FROM breaks b WHERE b.user_id = NEW.user_id AND b.ends_at >= NEW.ends_at) THEN
    PERFORM refuse('LK003', 'a break lasts longer already');
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER breaks_begin BEFORE INSERT ON breaks FOR EACH ROW EXECUTE FUNCTION begin_break();

CREATE TRIGGER breaks_keep BEFORE UPDATE OR TRUNCATE ON breaks FOR EACH STATEMENT EXECUTE FUNCTION deny_change();

CREATE TRIGGER kept_breaks_keep BEFORE UPDATE OR TRUNCATE ON kept_breaks FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
CREATE TRIGGER kept_breaks_stay BEFORE DELETE ON kept_breaks FOR EACH ROW WHEN (OLD.ends_at > game_now())
  EXECUTE FUNCTION deny_personal();
