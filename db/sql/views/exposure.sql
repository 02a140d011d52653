-- exposure: the active calls by event, round and side. staked_cents is the sum of their wagers.
CREATE VIEW exposure AS
  SELECT c.event_id, c.round, s.side, count(*) AS calls, count(DISTINCT c.user_id) AS players,
    sum(c.wager_cents)::bigint AS staked_cents
  FROM calls c JOIN spots s ON s.id = c.spot_id
  WHERE c.state IN ('placed', 'closed')
  GROUP BY 1, 2, 3;
