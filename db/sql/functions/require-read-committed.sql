-- require_read_committed(): raises LK000 unless the transaction runs at READ COMMITTED.
-- Every statement after a lock must see the changes that the lock waited for. The snapshot of a stricter isolation level is
-- older than the lock: it would miss the calls that were placed while this transaction waited for the event's gate.
CREATE FUNCTION require_read_committed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'the ledger works at read committed only' USING ERRCODE = 'LK000';
  END IF;
END $$;
