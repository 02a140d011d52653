-- seal_journals(rows_max): seals the journals and audit rows that have been committed and are in no seal yet, at most p_rows_max of
-- each. Returns how many it has sealed: 0 if there are none, or if another process is sealing.
-- It locks nothing that a booking needs. What is still to be committed is sealed later; see settled-seal.sql.
CREATE FUNCTION seal_journals(p_rows_max int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  last journal_seals;
  settled journal_seals;
  v_sealed_journals int8multirange;
  v_sealed_audits int8multirange;
  v_journals int8multirange;
  v_audits int8multirange;
  v_count int;
BEGIN
  PERFORM require_read_committed();
  IF NOT pg_try_advisory_xact_lock(7702, 2) THEN
    RETURN 0;
  END IF;
  SELECT * INTO last FROM journal_seals ORDER BY id DESC LIMIT 1;
  SELECT * INTO settled FROM journal_seals WHERE id = settled_seal();
  SELECT coalesce(range_agg(journals), '{}'), coalesce(range_agg(audits), '{}')
    INTO v_sealed_journals, v_sealed_audits
    FROM journal_seals WHERE id > coalesce(settled.id, 0);

  SELECT coalesce(range_agg(int8range(id, id, '[]')), '{}') INTO v_journals FROM (
    SELECT id FROM journal WHERE id > coalesce(settled.through_journal, 0) AND NOT v_sealed_journals @> id
    ORDER BY id LIMIT p_rows_max
  ) new_rows;
  SELECT coalesce(range_agg(int8range(id, id, '[]')), '{}') INTO v_audits FROM (
    SELECT id FROM audit WHERE id > coalesce(settled.through_audit, 0) AND NOT v_sealed_audits @> id
    ORDER BY id LIMIT p_rows_max
  ) new_rows;
  IF isempty(v_journals) AND isempty(v_audits) THEN
    RETURN 0;
  END IF;

  INSERT INTO journal_seals (previous_id, hash, journals, audits, through_journal, through_audit, horizon)
    VALUES (last.id, hash_sealed(coalesce(last.hash, ''), v_journals, v_audits), v_journals, v_audits,
      greatest(last.through_journal, upper(v_journals) - 1, 0), greatest(last.through_audit, upper(v_audits) - 1, 0),
      pg_snapshot_xmax(pg_current_snapshot()));
  SELECT coalesce(sum(upper(span) - lower(span)), 0) INTO v_count
    FROM (SELECT unnest(v_journals) AS span UNION ALL SELECT unnest(v_audits)) spans;
  RETURN v_count;
END $$;
