-- give_teams(session, registrations): puts these players of a session, who are in none of its teams, into teams: one after the other, in
-- the order of their ids, into the one that has the fewest players at that moment, of equal ones the first. A session without teams
-- changes nothing. Players who come at the same moment do not wait for each other, so two teams may differ by as many.
CREATE FUNCTION give_teams(p_session bigint, p_registrations bigint[]) RETURNS void LANGUAGE sql AS $$
  WITH teams AS (
    SELECT t.team, (SELECT count(*) FROM registrations g WHERE g.session_id = p_session AND g.team = t.team) AS players
    FROM sessions z CROSS JOIN generate_series(1,
      least(12, jsonb_array_length(jsonb_path_query_array(z.settings, '$.teams[*]')))) AS t(team)
    WHERE z.id = p_session
  ), places AS (
    -- The places of each team after its last player, the first places of all teams before the second ones.
    SELECT t.team, row_number() OVER (ORDER BY place, t.team) AS number
    FROM teams t CROSS JOIN generate_series(t.players + 1, t.players + cardinality(p_registrations)) AS place
    ORDER BY place, t.team LIMIT cardinality(p_registrations)
  )
  UPDATE registrations g SET team = p.team
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM unnest(p_registrations) AS r(id)) r
    JOIN places p USING (number)
  WHERE g.id = r.id
$$;
