-- take_message(provider, message, sha256): stores a payment provider's message in the transaction that applies it.
-- Returns false if the message was received before. A duplicate that arrives at the same time waits for the first one. If the
-- transaction is refused, the stored message is rolled back too, so that the provider's next attempt is processed again.
CREATE FUNCTION take_message(p_provider text, p_message text, p_sha256 text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_events (provider, provider_event_id, payload_sha256)
    VALUES (p_provider, p_message, p_sha256) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;
