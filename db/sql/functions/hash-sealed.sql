-- hash_sealed(previous, journals, audits): the SHA-256, hexadecimal, of a seal over these journals and audit rows, and over the
-- hash of the seal before it ('' for the first one). p_journals and p_audits are the ids.
-- Of a journal it covers all columns but tx (a restored journal has the transaction that restored it), its entries, the terms of
-- its settlement and the lines of that. Each is written as JSON with a fixed list of columns, so that a new column changes no hash;
-- moments are microseconds, so that no time zone does. An audit row's token is left out where there is none. A new column is not
-- sealed before it is in here, and is left out where it is null, so that the hashes of old rows stay.
-- OFFSET 0: each range is looked up by itself. Postgres expects ranges to hold much, and would read a large journal as a whole.
CREATE FUNCTION hash_sealed(p_previous text, p_journals int8multirange, p_audits int8multirange) RETURNS text
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  v_journals text;
  v_audits text;
BEGIN
  SELECT string_agg(encode(sha256(convert_to(row, 'UTF8')), 'hex'), '' ORDER BY id) INTO v_journals
  FROM (
    SELECT j.id, jsonb_build_array(j.id, j.kind, j.idempotency_key, j.request_hash, j.event_id, j.round, j.supersedes_id,
      j.part_of_id, j.actor_id, j.reason, extract(epoch FROM j.created_at) * 1000000,
      (SELECT jsonb_agg(jsonb_build_array(e.id, e.account_id, e.call_id, e.amount_cents, e.balance_after_cents,
          e.held_after_cents, e.account_version, e.listed, extract(epoch FROM e.created_at) * 1000000) ORDER BY e.id)
        FROM entries e WHERE e.journal_id = j.id),
      (SELECT jsonb_build_array(s.id, s.event_id, s.round, s.version, s.result, extract(epoch FROM s.effective_at) * 1000000,
          s.pool_cents, s.winning_pool_cents, s.refunded_cents, s.calls_count, extract(epoch FROM s.created_at) * 1000000,
          (SELECT jsonb_agg(jsonb_build_array(l.call_id, l.payout_cents, l.outcome) ORDER BY l.call_id)
            FROM settlement_lines l WHERE l.settlement_id = s.id))
        FROM settlements s WHERE s.journal_id = j.id))::text AS row
    FROM unnest(p_journals) AS span,
      LATERAL (SELECT * FROM journal WHERE id >= lower(span) AND id < upper(span) OFFSET 0) j
  ) sealed;
  SELECT string_agg(encode(sha256(convert_to(row, 'UTF8')), 'hex'), '' ORDER BY id) INTO v_audits
  FROM (
    SELECT a.id, (jsonb_build_array(a.id, a.actor_id, a.action, a.subject_type, a.subject_id, a.session_id, a.before, a.after,
      a.reason, extract(epoch FROM a.created_at) * 1000000)
      || CASE WHEN a.access_token_id IS NULL THEN '[]' ELSE jsonb_build_array(a.access_token_id) END)::text AS row
    FROM unnest(p_audits) AS span, LATERAL (SELECT * FROM audit WHERE id >= lower(span) AND id < upper(span) OFFSET 0) a
  ) sealed;
  RETURN encode(sha256(convert_to(p_previous || '|' || coalesce(v_journals, '') || '|' || coalesce(v_audits, ''), 'UTF8')), 'hex');
END $$;
