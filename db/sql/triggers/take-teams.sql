-- Puts new players of sessions that have teams into one, unless they come with a team of their own choice. So a player who joins by a call,
-- a code or a form has a team at once, and nobody is asked before a call.
CREATE FUNCTION take_teams() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM give_teams(a.session_id, array_agg(a.id)) FROM added a JOIN sessions z ON z.id = a.session_id
    WHERE z.settings @? '$.teams[*]'
      AND NOT coalesce(a.team <= jsonb_array_length(jsonb_path_query_array(z.settings, '$.teams[*]')), false)
    GROUP BY a.session_id;
  RETURN NULL;
END $$;

CREATE TRIGGER registrations_take_teams AFTER INSERT ON registrations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION take_teams();
