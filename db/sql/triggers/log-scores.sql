-- Writes changes of scores to the logs of their sessions: one entry for each statement, with the new scores, so that a part of a large
-- settlement costs one row. A deleted score is one with nothing played.
CREATE FUNCTION log_scores() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_log (step, session_id, kind, subject_id, scores)
    SELECT log_step(), c.session_id, 'scores', c.session_id, c.scores
    FROM (
      SELECT session_id, array_agg(ARRAY[user_id, CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE played END, wins, losses, net_cents,
        wagered_cents, current_streak, best_streak] ORDER BY user_id) AS scores
      FROM changed WHERE session_id IS NOT NULL GROUP BY session_id
    ) c;
  RETURN NULL;
END $$;

CREATE TRIGGER scores_log_new AFTER INSERT ON scores REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_scores();

CREATE TRIGGER scores_log_changed AFTER UPDATE ON scores REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_scores();

CREATE TRIGGER scores_log_removed AFTER DELETE ON scores REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_scores();
