-- give_house_dollars(players, wallets, events, rounds, amounts, dated): books for each of these players what the house adds to a call on
-- an event, in whole cents from promo. Arrays have one element for each call that is about to be placed, with these times. The caller
-- holds the wallets, and promo. The key of the journal allows one for a player and event.
-- Each grant is a microsecond older than its call: so the history of the wallet lists it first, and grant_max finds the call. It goes
-- to the wallet and not to a debt, because the call holds all of it in the same transaction: what it returns pays the debt.
CREATE FUNCTION give_house_dollars(
  p_players bigint[], p_wallets bigint[], p_events bigint[], p_rounds int[], p_amounts bigint[], p_dated timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  promo accounts;
  older constant interval := '1 microsecond';
BEGIN
  SELECT * INTO STRICT promo FROM accounts WHERE user_id IS NULL AND kind = 'promo';
  INSERT INTO journal (kind, idempotency_key, request_hash, event_id, round, reason, created_at)
    SELECT 'grant', format('grant-house-%s-%s', g.player, g.event), format('grant:%s:%s', g.player, g.amount), g.event, g.round,
      'On the house', g.dated - older
    FROM unnest(p_players, p_events, p_rounds, p_amounts, p_dated) AS g(player, event, round, amount, dated);
  INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version, created_at)
    SELECT b.id, a.id, a.amount, a.balance, a.held, a.version, g.dated - older
    FROM unnest(p_players, p_wallets, p_events, p_amounts, p_dated) WITH ORDINALITY AS g(player, wallet, event, amount, dated, n)
      JOIN LATERAL (
        SELECT j.id FROM journal j WHERE j.idempotency_key = format('grant-house-%s-%s', g.player, g.event) LIMIT 1
      ) b ON true
      JOIN LATERAL (SELECT sum(amount) AS amount FROM unnest(p_amounts[:g.n]) AS until(amount)) s ON true
      JOIN LATERAL (
        SELECT w.id, g.amount, w.posted_cents + g.amount AS balance, w.held_cents AS held, w.version + 1 AS version
          FROM accounts w WHERE w.id = g.wallet
        UNION ALL
        SELECT promo.id, -g.amount, promo.posted_cents - s.amount, promo.held_cents, promo.version + g.n
      ) a ON true;
END $$;
