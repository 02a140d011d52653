CREATE TABLE "journal_seals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "journal_seals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"previous_id" bigint,
	"hash" text NOT NULL,
	"journals" "int8multirange" NOT NULL,
	"audits" "int8multirange" NOT NULL,
	"through_journal" bigint NOT NULL,
	"through_audit" bigint NOT NULL,
	"horizon" "xid8" NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "journal_seals_hash_unique" UNIQUE("hash"),
	CONSTRAINT "journal_seals_chain" UNIQUE NULLS NOT DISTINCT("previous_id"),
	CONSTRAINT "journal_seals_hash" CHECK ("journal_seals"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "journal" DROP CONSTRAINT "journal_kind_known";--> statement-breakpoint
ALTER TABLE "journal" DROP CONSTRAINT "journal_reason";--> statement-breakpoint
ALTER TABLE "journal_seals" ADD CONSTRAINT "journal_seals_previous_id_journal_seals_id_fk" FOREIGN KEY ("previous_id") REFERENCES "public"."journal_seals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_kind_known" CHECK ("journal"."kind" IN ('grant', 'deposit', 'withdrawal', 'settle', 'resettle', 'chargeback', 'adjust', 'repay'));--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_reason" CHECK (NOT ("journal"."kind" IN ('grant', 'resettle', 'adjust')) OR coalesce(length("journal"."reason"), 0) > 0);--> statement-breakpoint
-- From now on a debt is paid first from whatever becomes free. Debts of players who have money available by now are paid here.
WITH debts AS (
	SELECT w.id AS wallet, r.id AS receivable, least(-r.posted_cents, w.posted_cents - w.held_cents) AS amount
	FROM accounts r JOIN accounts w ON w.user_id = r.user_id AND w.kind = 'wallet'
	WHERE r.kind = 'receivable' AND r.posted_cents < 0 AND w.posted_cents > w.held_cents
), booked AS (
	INSERT INTO journal (kind, idempotency_key, request_hash)
	SELECT 'repay', 'repay-what-was-available', 'repay' WHERE EXISTS (SELECT 1 FROM debts) RETURNING id
), moves AS (
	SELECT wallet AS account, -amount AS amount FROM debts UNION ALL SELECT receivable, amount FROM debts
), posted AS (
	INSERT INTO entries (journal_id, account_id, amount_cents, balance_after_cents, held_after_cents, account_version)
	SELECT b.id, a.id, m.amount, a.posted_cents + m.amount, a.held_cents, a.version + 1
	FROM booked b CROSS JOIN moves m JOIN accounts a ON a.id = m.account
), counted AS (
	INSERT INTO totals (name, rows_count, posted_cents)
	SELECT a.kind, 0, sum(m.amount)::bigint FROM moves m JOIN accounts a ON a.id = m.account GROUP BY a.kind
)
UPDATE accounts a SET posted_cents = a.posted_cents + m.amount, version = a.version + 1, moves_count = a.moves_count + 1,
	revision = a.revision + 1
FROM moves m WHERE a.id = m.account;
