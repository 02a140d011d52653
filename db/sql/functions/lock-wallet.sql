-- lock_wallet(user): locks the wallet of this user until the transaction ends. Until then no call of the user is placed or ends, so
-- what is counted after this is still correct at the commit.
CREATE FUNCTION lock_wallet(p_user bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts WHERE user_id = p_user AND kind = 'wallet' FOR NO KEY UPDATE;
END $$;
