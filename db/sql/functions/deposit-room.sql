-- deposit_room(user, site): what a player may still pay in. p_site is the site's limit for 7 days, in cents; NULL for none.
-- Returns a row for each limit that the player has: own (false: the site's), its days and cents, what counts against it, what of that is
-- in open checkouts, what is left, and free_at, when the first more is possible (NULL where no deposit counts). An open checkout may end
-- before, so it says nothing about that.
-- A deposit counts from the moment that booked it, without what was refunded. An open checkout may be paid at any moment, so it counts
-- as one of this moment: for 30 days, and for 25 hours where the provider has not given its address. A failed one does not count.
CREATE FUNCTION deposit_room(p_user bigint, p_site bigint) RETURNS TABLE (
  own boolean, days int, limit_cents bigint, used_cents bigint, open_cents bigint, left_cents bigint, free_at timestamptz
) LANGUAGE sql VOLATILE AS $$
  WITH counted AS MATERIALIZED (
    SELECT p.amount_cents - p.refunded_cents AS cents, coalesce(j.created_at, game_now()) AS at, j.id IS NULL AS is_open
    FROM payments p LEFT JOIN journal j ON j.id = p.journal_id
    WHERE p.user_id = p_user AND p.amount_cents > p.refunded_cents AND (
      p.state = 'succeeded' AND j.created_at > game_now() - interval '30 days'
      OR p.state = 'pending' AND p.created_at > clock_timestamp()
        - CASE WHEN p.checkout_url IS NULL THEN interval '25 hours' ELSE interval '30 days' END)
  ), limits AS (
    SELECT TRUE AS own, d.days, d.amount_cents AS cents FROM deposit_limits d
    WHERE d.user_id = p_user AND d.amount_cents IS NOT NULL
    UNION ALL SELECT FALSE, 7, p_site WHERE p_site IS NOT NULL
  )
  SELECT l.own, l.days, l.cents, used.cents, used.open, greatest(0, l.cents - used.cents), (
      -- The first deposit with whose end less counts than the limit.
      SELECT min(older.at) FROM (
        SELECT c.at, sum(c.cents) OVER (ORDER BY c.at) AS gone FROM counted c
        WHERE NOT c.is_open AND c.at > game_now() - make_interval(days => l.days)
      ) older WHERE used.cents - used.open - older.gone < l.cents
    ) + make_interval(days => l.days)
  FROM limits l CROSS JOIN LATERAL (
    SELECT coalesce(sum(c.cents), 0)::bigint AS cents, coalesce(sum(c.cents) FILTER (WHERE c.is_open), 0)::bigint AS open
    FROM counted c WHERE c.at > game_now() - make_interval(days => l.days)
  ) used
  ORDER BY l.own DESC, l.days
$$;
