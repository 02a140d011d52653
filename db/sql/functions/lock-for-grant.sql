-- lock_for_grant(user): locks the accounts that a grant of play money to this user locks, in the same order, until the transaction
-- ends. A balance that is read after this is still correct when the grant is made.
CREATE FUNCTION lock_for_grant(p_user bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts WHERE user_id = p_user OR (user_id IS NULL AND kind = 'promo') ORDER BY id FOR NO KEY UPDATE;
END $$;
