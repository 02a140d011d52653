-- lock_for_merge(guest, account): locks the accounts that merging this guest into this account changes, in the order of all locks, until
-- the transaction ends.
CREATE FUNCTION lock_for_merge(p_guest bigint, p_account bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts WHERE user_id IN (p_guest, p_account) OR (user_id IS NULL AND kind = 'promo') ORDER BY id FOR NO KEY UPDATE;
END $$;
