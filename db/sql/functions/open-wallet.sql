-- open_wallet(user): creates a user's two accounts, wallet and receivable, if they are missing.
-- Returns the id of the wallet's account. Calling it again changes nothing.
CREATE FUNCTION open_wallet(p_user bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (kind, user_id) VALUES ('wallet', p_user), ('receivable', p_user) ON CONFLICT DO NOTHING;
  RETURN (SELECT id FROM accounts WHERE user_id = p_user AND kind = 'wallet');
END $$;
