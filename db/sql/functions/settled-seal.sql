-- settled_seal(): the newest seal below whose highest ids no row can appear any more; NULL if there is none yet.
-- Ids are taken before they are committed, so a row can appear below rows that are sealed. It cannot, once all transactions have
-- ended that had begun when the seal was made. The ten minutes are for a transaction that has an id and no number yet.
CREATE FUNCTION settled_seal() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT id FROM journal_seals
    WHERE sealed_at < clock_timestamp() - interval '10 minutes'
      AND horizon <= pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY id DESC LIMIT 1
  );
END $$;
