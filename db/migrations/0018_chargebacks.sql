CREATE TABLE "chargebacks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "chargebacks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_id" bigint NOT NULL,
	"cause" text NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"provider_ref" text,
	"idempotency_key" text,
	"actor_id" bigint,
	"reason" text,
	"journal_id" bigint,
	"return_journal_id" bigint,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "chargebacks_journalId_unique" UNIQUE("journal_id"),
	CONSTRAINT "chargebacks_returnJournalId_unique" UNIQUE("return_journal_id"),
	CONSTRAINT "chargebacks_provider_ref" UNIQUE("payment_id","provider_ref"),
	CONSTRAINT "chargebacks_key" UNIQUE("payment_id","idempotency_key"),
	CONSTRAINT "chargebacks_cause_known" CHECK ("chargebacks"."cause" IN ('refund', 'dispute')),
	CONSTRAINT "chargebacks_state_known" CHECK ("chargebacks"."state" IN ('asked', 'taken', 'refused', 'returned')),
	CONSTRAINT "chargebacks_amount" CHECK ("chargebacks"."amount_cents" > 0),
	CONSTRAINT "chargebacks_taken" CHECK ("chargebacks"."state" <> 'taken' OR "chargebacks"."journal_id" IS NOT NULL),
	CONSTRAINT "chargebacks_not_taken" CHECK ("chargebacks"."state" IN ('taken', 'returned') OR "chargebacks"."journal_id" IS NULL),
	CONSTRAINT "chargebacks_returned" CHECK (("chargebacks"."state" = 'returned' AND "chargebacks"."journal_id" IS NOT NULL) = ("chargebacks"."return_journal_id" IS NOT NULL)),
	CONSTRAINT "chargebacks_reason" CHECK ("chargebacks"."actor_id" IS NULL OR coalesce(length("chargebacks"."reason"), 0) > 0)
);
--> statement-breakpoint
CREATE TABLE "payment_flags" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_flags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"message_id" text NOT NULL,
	"reference" text NOT NULL,
	"payment_id" bigint,
	"code" text NOT NULL,
	"detail" text NOT NULL,
	"said" jsonb NOT NULL,
	"times_seen" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" bigint,
	"note" text,
	CONSTRAINT "payment_flags_message" UNIQUE("provider","message_id"),
	CONSTRAINT "payment_flags_code_known" CHECK ("payment_flags"."code" IN ('unknown_payment', 'not_paid_yet', 'wrong_amount'))
);
--> statement-breakpoint
CREATE TABLE "book_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "book_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"checked_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"duration_ms" integer NOT NULL,
	"findings" jsonb NOT NULL,
	"differences_count" integer NOT NULL,
	"actor_id" bigint,
	CONSTRAINT "book_checks_duration" CHECK ("book_checks"."duration_ms" >= 0)
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "provider_ref" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_journal_id_journal_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_return_journal_id_journal_id_fk" FOREIGN KEY ("return_journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_flags" ADD CONSTRAINT "payment_flags_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_flags" ADD CONSTRAINT "payment_flags_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_checks" ADD CONSTRAINT "book_checks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chargebacks_asked" ON "chargebacks" USING btree ("created_at") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "payment_flags_open" ON "payment_flags" USING btree ("id") WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX "book_checks_at" ON "book_checks" USING btree ("checked_at");--> statement-breakpoint
-- What was refunded so far was refunded whole.
INSERT INTO chargebacks (payment_id, cause, state, amount_cents, provider_ref, journal_id, created_at, updated_at)
  SELECT id, 'refund', 'taken', amount_cents, 'whole', chargeback_id, updated_at, updated_at
  FROM payments WHERE chargeback_id IS NOT NULL;--> statement-breakpoint
UPDATE payments SET refunded_cents = amount_cents WHERE chargeback_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_never_more_than_paid" CHECK ("payments"."refunded_cents" BETWEEN 0 AND "payments"."amount_cents");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded" CHECK (("payments"."state" = 'refunded') = ("payments"."refunded_cents" = "payments"."amount_cents"));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_taken_back" CHECK ("payments"."refunded_cents" = 0 OR "payments"."state" IN ('succeeded', 'refunded'));--> statement-breakpoint

-- ===== The states of payments and chargebacks, whoever writes them =====

DROP TRIGGER payments_state ON payments;
-- What was refunded can come back: a refund that failed, a dispute that was won.
CREATE TRIGGER payments_state BEFORE UPDATE OF state ON payments FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('pending', 'succeeded'), ('pending', 'failed'),
    ('failed', 'succeeded'), ('succeeded', 'refunded'), ('refunded', 'succeeded'))) EXECUTE FUNCTION deny_transition();

CREATE TRIGGER chargebacks_start BEFORE INSERT ON chargebacks FOR EACH ROW
  WHEN (NEW.state <> 'asked') EXECUTE FUNCTION deny_start();
CREATE TRIGGER chargebacks_terms BEFORE UPDATE OF
  id, payment_id, cause, amount_cents, idempotency_key, actor_id, reason, created_at ON chargebacks FOR EACH ROW
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER chargebacks_written_once BEFORE UPDATE ON chargebacks FOR EACH ROW
  WHEN (OLD.provider_ref <> coalesce(NEW.provider_ref, '') OR OLD.journal_id <> coalesce(NEW.journal_id, 0)
    OR OLD.return_journal_id <> coalesce(NEW.return_journal_id, 0)) EXECUTE FUNCTION deny_transition();
CREATE TRIGGER chargebacks_state BEFORE UPDATE OF state ON chargebacks FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (('asked', 'taken'), ('asked', 'refused'),
    ('asked', 'returned'), ('refused', 'taken'), ('refused', 'returned'), ('taken', 'returned')))
  EXECUTE FUNCTION deny_transition();
CREATE TRIGGER chargebacks_no_delete BEFORE DELETE OR TRUNCATE ON chargebacks
  FOR EACH STATEMENT EXECUTE FUNCTION deny_change();
--> statement-breakpoint

-- ===== What a provider says =====

-- Notes a message of a provider. False: it came before. A twin that is still on its way is waited for; a refusal rolls the
-- note back too, so that the provider's next attempt is looked at anew.
CREATE FUNCTION take_message(p_provider text, p_message text, p_sha256 text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_events (provider, provider_event_id, payload_sha256)
    VALUES (p_provider, p_message, p_sha256) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

DROP FUNCTION apply_payment(text, text, text, text, text, bigint, text);
-- A payment's end: the deposit, once, or a failure. Success wins over an earlier failure.
-- p_provider_ref is what the provider calls the money, which a refund will name.
CREATE FUNCTION apply_payment(
  p_provider text, p_reference text, p_type text, p_amount bigint, p_currency text, p_provider_ref text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  j bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'no payment has this reference');
  END IF;
  IF p.amount_cents <> p_amount OR p.currency <> p_currency THEN
    PERFORM refuse('LK005', format('the payment is of %s %s, not of %s %s', p.amount_cents, p.currency, p_amount, p_currency));
  END IF;
  IF p_type = 'failed' THEN
    IF p.state <> 'pending' THEN
      RETURN 'ignored';
    END IF;
    UPDATE payments SET state = 'failed', updated_at = clock_timestamp() WHERE id = p.id;
    RETURN 'failed';
  ELSIF p_type = 'succeeded' THEN
    IF p.state NOT IN ('pending', 'failed') THEN
      RETURN 'ignored';
    END IF;
    j := book('deposit', 'deposit-' || p.id, p.user_id, p.amount_cents, 'external', NULL, NULL);
    UPDATE payments
      SET state = 'succeeded', journal_id = j, provider_ref = p_provider_ref, updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'deposited';
  END IF;
  PERFORM refuse('LK005', 'unknown type');
END $$;
--> statement-breakpoint

-- A refund or a dispute of a payment: taken from the wallet, or returned to it, each once, in whatever order they are told.
-- It is known by the provider's name for it (p_ref), or, where an admin has asked for it and the provider's answer is not
-- written down yet, by our own (p_asked). What returned before it was taken has moved nothing, and is not taken any more.
CREATE FUNCTION apply_chargeback(
  p_provider text, p_reference text, p_ref text, p_asked bigint, p_cause text, p_state text, p_amount bigint,
  p_currency text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p payments;
  c chargebacks;
  j bigint;
BEGIN
  SELECT * INTO p FROM payments WHERE provider = p_provider AND reference = p_reference FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse('LK404', 'no payment has this reference');
  ELSIF p.state NOT IN ('succeeded', 'refunded') THEN
    PERFORM refuse('LK003', 'the deposit has not come yet');
  ELSIF p.currency <> p_currency OR p_amount <= 0 THEN
    PERFORM refuse('LK005', format('the payment is of %s %s, not of %s %s', p.amount_cents, p.currency, p_amount, p_currency));
  END IF;

  SELECT * INTO c FROM chargebacks WHERE payment_id = p.id AND provider_ref = p_ref;
  IF NOT FOUND THEN
    SELECT * INTO c FROM chargebacks WHERE payment_id = p.id AND id = p_asked AND provider_ref IS NULL;
  END IF;
  IF c.id IS NULL THEN
    INSERT INTO chargebacks (payment_id, cause, amount_cents, provider_ref)
      VALUES (p.id, p_cause, p_amount, p_ref) RETURNING * INTO c;
  ELSIF c.amount_cents <> p_amount THEN
    PERFORM refuse('LK005', format('the %s is of %s, not of %s', c.cause, c.amount_cents, p_amount));
  ELSIF c.provider_ref IS NULL THEN
    UPDATE chargebacks SET provider_ref = p_ref WHERE id = c.id;
  END IF;

  IF p_state = 'taken' THEN
    IF c.state IN ('taken', 'returned') THEN
      RETURN 'ignored';
    ELSIF p.refunded_cents + p_amount > p.amount_cents THEN
      PERFORM refuse('LK005', format('only %s of %s are left to take back, not %s', p.amount_cents - p.refunded_cents,
        p.amount_cents, p_amount));
    END IF;
    j := book('chargeback', 'take-back-' || c.id, p.user_id, -p_amount, 'external', c.actor_id, c.reason);
    UPDATE chargebacks SET state = 'taken', journal_id = j, updated_at = clock_timestamp() WHERE id = c.id;
    UPDATE payments
      SET refunded_cents = refunded_cents + p_amount,
        state = CASE WHEN refunded_cents + p_amount = amount_cents THEN 'refunded' ELSE 'succeeded' END,
        updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'charged_back';
  ELSIF p_state = 'returned' THEN
    IF c.state = 'returned' THEN
      RETURN 'ignored';
    ELSIF c.state <> 'taken' THEN
      UPDATE chargebacks SET state = 'returned', updated_at = clock_timestamp() WHERE id = c.id;
      RETURN 'never_taken';
    END IF;
    j := book('chargeback', 'give-back-' || c.id, p.user_id, p_amount, 'external', c.actor_id, c.reason);
    UPDATE chargebacks SET state = 'returned', return_journal_id = j, updated_at = clock_timestamp() WHERE id = c.id;
    UPDATE payments SET refunded_cents = refunded_cents - p_amount, state = 'succeeded', updated_at = clock_timestamp()
      WHERE id = p.id;
    RETURN 'reinstated';
  END IF;
  PERFORM refuse('LK005', 'unknown state');
END $$;
