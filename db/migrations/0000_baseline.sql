CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"user_id" bigint,
	"posted_cents" bigint DEFAULT 0 NOT NULL,
	"held_cents" bigint DEFAULT 0 NOT NULL,
	"held_calls" integer DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "accounts_id_user" UNIQUE("id","user_id"),
	CONSTRAINT "accounts_kind_known" CHECK ("accounts"."kind" IN ('wallet', 'receivable', 'house', 'promo', 'external', 'clearing')),
	CONSTRAINT "wallet_not_overdrawn" CHECK ("accounts"."kind" <> 'wallet' OR "accounts"."posted_cents" - "accounts"."held_cents" >= 0),
	CONSTRAINT "held_not_negative" CHECK ("accounts"."held_cents" >= 0),
	CONSTRAINT "wallet_holds_calls" CHECK ("accounts"."held_calls" BETWEEN 0 AND "accounts"."held_cents" AND ("accounts"."held_calls" = 0) = ("accounts"."held_cents" = 0)),
	CONSTRAINT "only_wallets_hold" CHECK ("accounts"."kind" = 'wallet' OR "accounts"."held_cents" = 0),
	CONSTRAINT "receivable_sign" CHECK ("accounts"."kind" <> 'receivable' OR "accounts"."posted_cents" <= 0),
	CONSTRAINT "accounts_owner_known" CHECK (("accounts"."kind" IN ('wallet', 'receivable')) = ("accounts"."user_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"actor_id" bigint,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"session_id" bigint,
	"before" jsonb,
	"after" jsonb,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"byte_size" integer NOT NULL,
	"checksum" text NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"uploaded_by_id" bigint,
	"picture" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"stored_at" timestamp with time zone,
	"attached_at" timestamp with time zone,
	"discarded_at" timestamp with time zone,
	CONSTRAINT "blobs_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "blueprint_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blueprint_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"blueprint_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"true_label" text DEFAULT 'True' NOT NULL,
	"false_label" text DEFAULT 'False' NOT NULL,
	"start_mode" text DEFAULT 'after_previous' NOT NULL,
	"offset_seconds" integer DEFAULT 0 NOT NULL,
	"duration_seconds" integer DEFAULT 30 NOT NULL,
	"resolve_within_seconds" integer DEFAULT 60 NOT NULL,
	"min_wager_cents" bigint DEFAULT 1 NOT NULL,
	"max_wager_cents" bigint,
	"auto_result" text,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "blueprint_events_duration" CHECK ("blueprint_events"."duration_seconds" BETWEEN 5 AND 1800),
	CONSTRAINT "blueprint_events_offset" CHECK ("blueprint_events"."offset_seconds" >= 0),
	CONSTRAINT "blueprint_events_resolve_within" CHECK ("blueprint_events"."resolve_within_seconds" >= 0),
	CONSTRAINT "blueprint_events_start_mode" CHECK ("blueprint_events"."start_mode" IN ('after_previous', 'offset')),
	CONSTRAINT "blueprint_events_auto_result" CHECK ("blueprint_events"."auto_result" IN ('true', 'false', 'random')),
	CONSTRAINT "blueprint_events_wagers" CHECK ("blueprint_events"."min_wager_cents" > 0 AND "blueprint_events"."max_wager_cents" >= "blueprint_events"."min_wager_cents")
);
--> statement-breakpoint
CREATE TABLE "blueprints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "blueprints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"defaults" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
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
CREATE TABLE "calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"spot_id" bigint NOT NULL,
	"round" integer NOT NULL,
	"wager_cents" bigint NOT NULL,
	"state" text DEFAULT 'placed' NOT NULL,
	"outcome" text,
	"payout_cents" bigint,
	"idempotency_key" text NOT NULL,
	"placed_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "calls_key" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "calls_wager" CHECK ("calls"."wager_cents" BETWEEN 1 AND 100000000),
	CONSTRAINT "calls_state_known" CHECK ("calls"."state" IN ('placed', 'closed', 'resolved', 'soft_destroyed')),
	CONSTRAINT "calls_outcome_known" CHECK ("calls"."outcome" IN ('won', 'lost', 'refunded')),
	CONSTRAINT "calls_payout_positive" CHECK ("calls"."payout_cents" >= 0),
	CONSTRAINT "calls_resolved_has_outcome" CHECK (("calls"."state" = 'resolved') = ("calls"."outcome" IS NOT NULL)),
	CONSTRAINT "calls_outcome_has_payout" CHECK (("calls"."outcome" IS NULL) = ("calls"."payout_cents" IS NULL)),
	CONSTRAINT "calls_lost_pays_nothing" CHECK ("calls"."outcome" <> 'lost' OR "calls"."payout_cents" = 0),
	CONSTRAINT "calls_refund_pays_wager" CHECK ("calls"."outcome" <> 'refunded' OR "calls"."payout_cents" = "calls"."wager_cents"),
	CONSTRAINT "calls_won_pays_wager" CHECK ("calls"."outcome" <> 'won' OR "calls"."payout_cents" >= "calls"."wager_cents")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint,
	"blueprint_event_id" bigint,
	"position" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"true_label" text DEFAULT 'True' NOT NULL,
	"false_label" text DEFAULT 'False' NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"result" text,
	"result_reason" text,
	"pending_result" text,
	"pending_reason" text,
	"pending_effective_at" timestamp with time zone,
	"pending_by_id" bigint,
	"min_wager_cents" bigint DEFAULT 1 NOT NULL,
	"max_wager_cents" bigint,
	"start_mode" text DEFAULT 'after_previous' NOT NULL,
	"offset_seconds" integer DEFAULT 0 NOT NULL,
	"duration_seconds" integer DEFAULT 30 NOT NULL,
	"lead_seconds" integer DEFAULT 10 NOT NULL,
	"resolve_within_seconds" integer DEFAULT 60 NOT NULL,
	"auto_result" text,
	"published_at" timestamp with time zone,
	"opens_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"closes_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"resolve_by" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"next_transition" text,
	"due_at" timestamp with time zone,
	"remaining_ms" integer,
	"schedule_version" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"created_by_id" bigint,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "events_state_known" CHECK ("events"."state" IN ('draft', 'visible', 'open', 'closed', 'resolved', 'hidden', 'soft_destroyed')),
	CONSTRAINT "events_result_known" CHECK ("events"."result" IN ('true', 'false', 'void')),
	CONSTRAINT "events_round" CHECK ("events"."round" > 0),
	CONSTRAINT "events_resolved_has_result" CHECK ("events"."result" IS NOT NULL OR "events"."state" <> 'resolved'),
	CONSTRAINT "events_result_is_resolved" CHECK ("events"."result" IS NULL OR "events"."state" IN ('resolved', 'hidden', 'soft_destroyed')),
	CONSTRAINT "events_pending_known" CHECK ("events"."pending_result" IN ('true', 'false', 'void')),
	CONSTRAINT "events_pending_is_due" CHECK ("events"."pending_result" IS NULL OR ("events"."state" = 'closed' AND "events"."next_transition" = 'resolve')),
	CONSTRAINT "events_pending_has_result" CHECK ("events"."pending_result" IS NOT NULL OR num_nonnulls("events"."pending_reason", "events"."pending_effective_at", "events"."pending_by_id") = 0),
	CONSTRAINT "events_open_has_close" CHECK ("events"."state" <> 'open' OR "events"."closes_at" IS NOT NULL),
	CONSTRAINT "events_open_before_close" CHECK ("events"."opens_at" < "events"."closes_at"),
	CONSTRAINT "events_due_has_transition" CHECK ("events"."due_at" IS NULL OR "events"."next_transition" IS NOT NULL),
	CONSTRAINT "events_transition_known" CHECK ("events"."next_transition" IN ('publish_event', 'open_event', 'close_event', 'resolve')),
	CONSTRAINT "events_start_mode" CHECK ("events"."start_mode" IN ('after_previous', 'offset')),
	CONSTRAINT "events_auto_result" CHECK ("events"."auto_result" IN ('true', 'false', 'random')),
	CONSTRAINT "events_duration" CHECK ("events"."duration_seconds" BETWEEN 5 AND 1800),
	CONSTRAINT "events_wagers" CHECK ("events"."min_wager_cents" > 0 AND "events"."max_wager_cents" >= "events"."min_wager_cents")
);
--> statement-breakpoint
CREATE TABLE "spots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "spots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" bigint NOT NULL,
	"side" text NOT NULL,
	"state" text DEFAULT 'closed' NOT NULL,
	"won" boolean,
	"calls_count" integer DEFAULT 0 NOT NULL,
	"pool_cents" bigint DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "spots_event_side" UNIQUE("event_id","side"),
	CONSTRAINT "spots_id_event" UNIQUE("id","event_id"),
	CONSTRAINT "spots_side" CHECK ("spots"."side" IN ('true', 'false')),
	CONSTRAINT "spots_state_known" CHECK ("spots"."state" IN ('open', 'closed', 'soft_destroyed')),
	CONSTRAINT "spots_pool" CHECK ("spots"."pool_cents" >= 0 AND "spots"."calls_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "exclusions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "exclusions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"session_id" bigint,
	"reason" text NOT NULL,
	"excluded_by_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "exclusions_user_session" UNIQUE NULLS NOT DISTINCT("user_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "leaderboard_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leaderboard_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"outcome" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_purpose_key_pk" PRIMARY KEY("user_id","purpose","key")
);
--> statement-breakpoint
CREATE TABLE "entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"journal_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"call_id" bigint,
	"amount_cents" bigint NOT NULL,
	"balance_after_cents" bigint NOT NULL,
	"held_after_cents" bigint NOT NULL,
	"account_version" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "entries_no_fork" UNIQUE("account_id","account_version"),
	CONSTRAINT "entries_not_zero" CHECK ("entries"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "journal" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "journal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"request_hash" text NOT NULL,
	"event_id" bigint,
	"round" integer,
	"supersedes_id" bigint,
	"part_of_id" bigint,
	"actor_id" bigint,
	"reason" text,
	"tx" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"created_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "journal_idempotencyKey_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "journal_supersedesId_unique" UNIQUE("supersedes_id"),
	CONSTRAINT "journal_kind_known" CHECK ("journal"."kind" IN ('grant', 'deposit', 'withdrawal', 'settle', 'resettle', 'chargeback', 'adjust')),
	CONSTRAINT "journal_event_round" CHECK (("journal"."event_id" IS NULL) = ("journal"."round" IS NULL)),
	CONSTRAINT "journal_resettle" CHECK ("journal"."part_of_id" IS NOT NULL OR ("journal"."kind" = 'resettle') = ("journal"."supersedes_id" IS NOT NULL)),
	CONSTRAINT "journal_part" CHECK ("journal"."part_of_id" IS NULL OR ("journal"."kind" IN ('settle', 'resettle') AND "journal"."supersedes_id" IS NULL)),
	CONSTRAINT "journal_reason" CHECK (NOT ("journal"."kind" IN ('resettle', 'adjust')) OR coalesce(length("journal"."reason"), 0) > 0)
);
--> statement-breakpoint
CREATE TABLE "settlement_lines" (
	"settlement_id" bigint NOT NULL,
	"call_id" bigint NOT NULL,
	"payout_cents" bigint NOT NULL,
	"outcome" text NOT NULL,
	CONSTRAINT "settlement_lines_settlement_id_call_id_pk" PRIMARY KEY("settlement_id","call_id"),
	CONSTRAINT "settlement_lines_payout" CHECK ("settlement_lines"."payout_cents" >= 0),
	CONSTRAINT "settlement_lines_outcome" CHECK ("settlement_lines"."outcome" IN ('won', 'lost', 'refunded'))
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settlements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" bigint NOT NULL,
	"round" integer NOT NULL,
	"version" integer NOT NULL,
	"result" text NOT NULL,
	"effective_at" timestamp with time zone,
	"journal_id" bigint NOT NULL,
	"pool_cents" bigint NOT NULL,
	"winning_pool_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"superseded" boolean DEFAULT false NOT NULL,
	"calls_count" integer DEFAULT 0 NOT NULL,
	"paid_calls_count" integer DEFAULT 0 NOT NULL,
	"paid_from_user_id" bigint,
	"paid_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "settlements_journalId_unique" UNIQUE("journal_id"),
	CONSTRAINT "settlements_version" UNIQUE("event_id","round","version"),
	CONSTRAINT "settlements_result_known" CHECK ("settlements"."result" IN ('true', 'false', 'void')),
	CONSTRAINT "settlements_paid" CHECK ("settlements"."paid_at" IS NULL OR "settlements"."paid_calls_count" = "settlements"."calls_count"),
	CONSTRAINT "settlements_paid_calls" CHECK ("settlements"."paid_calls_count" BETWEEN 0 AND "settlements"."calls_count")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error" text,
	"kept" jsonb,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "mails_kind_known" CHECK ("mails"."kind" IN ('confirm_email', 'reset_password', 'unlock', 'change_email', 'email_change_asked', 'email_changed', 'password_changed'))
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"client_id" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "messages_once" UNIQUE("user_id","client_id"),
	CONSTRAINT "messages_body" CHECK (length("messages"."body") BETWEEN 1 AND 500)
);
--> statement-breakpoint
CREATE TABLE "mutes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mutes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "mutes_once" UNIQUE("session_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"url" text,
	"read_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "notifications_kind_known" CHECK ("notifications"."kind" IN ('result', 'refund', 'correction', 'session_live', 'payment', 'announcement'))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
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
CREATE TABLE "payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"checkout_url" text,
	"provider_ref" text,
	"journal_id" bigint,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "payments_journalId_unique" UNIQUE("journal_id"),
	CONSTRAINT "payments_reference" UNIQUE("provider","reference"),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount_cents" > 0),
	CONSTRAINT "payments_currency" CHECK ("payments"."currency" = 'USD'),
	CONSTRAINT "payments_state_known" CHECK ("payments"."state" IN ('pending', 'succeeded', 'failed', 'refunded')),
	CONSTRAINT "payments_deposit" CHECK (("payments"."state" IN ('succeeded', 'refunded')) = ("payments"."journal_id" IS NOT NULL)),
	CONSTRAINT "payments_never_more_than_paid" CHECK ("payments"."refunded_cents" BETWEEN 0 AND "payments"."amount_cents"),
	CONSTRAINT "payments_refunded" CHECK (("payments"."state" = 'refunded') = ("payments"."refunded_cents" = "payments"."amount_cents")),
	CONSTRAINT "payments_taken_back" CHECK ("payments"."refunded_cents" = 0 OR "payments"."state" IN ('succeeded', 'refunded'))
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"provider" text NOT NULL,
	"provider_event_id" text NOT NULL,
	"payload_sha256" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "webhook_events_provider_provider_event_id_pk" PRIMARY KEY("provider","provider_event_id")
);
--> statement-breakpoint
CREATE TABLE "results" (
	"event_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"session_id" bigint,
	"resolved_at" timestamp with time zone NOT NULL,
	"calls_count" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"wagered_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"refunded" boolean NOT NULL,
	CONSTRAINT "results_event_id_user_id_pk" PRIMARY KEY("event_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "scores" (
	"user_id" bigint NOT NULL,
	"session_id" bigint,
	"played" integer NOT NULL,
	"wins" integer NOT NULL,
	"losses" integer NOT NULL,
	"refunded" integer NOT NULL,
	"calls_count" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"wagered_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"current_streak" integer NOT NULL,
	"best_streak" integer NOT NULL,
	"last_resolved_at" timestamp with time zone NOT NULL,
	"last_event_id" bigint NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	CONSTRAINT "scores_user_session" UNIQUE NULLS NOT DISTINCT("user_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "registrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"display_name" text NOT NULL,
	"state" text DEFAULT 'joined' NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "registrations_once" UNIQUE("session_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"rehearsal" boolean DEFAULT false NOT NULL,
	"blueprint_id" bigint,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"starts_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "sessions_slug_unique" UNIQUE("slug"),
	CONSTRAINT "sessions_state_known" CHECK ("sessions"."state" IN ('pending', 'running', 'paused', 'stopped')),
	CONSTRAINT "sessions_paused" CHECK (("sessions"."state" = 'paused') = ("sessions"."paused_at" IS NOT NULL)),
	CONSTRAINT "sessions_stopped" CHECK (("sessions"."state" = 'stopped') = ("sessions"."stopped_at" IS NOT NULL)),
	CONSTRAINT "sessions_active_alive" CHECK (NOT "sessions"."active" OR "sessions"."state" <> 'stopped'),
	CONSTRAINT "sessions_slug" CHECK ("sessions"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND "sessions"."slug" !~ '^[0-9]+$' AND "sessions"."slug" <> 'new')
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "tokens_kind_known" CHECK ("tokens"."kind" IN ('confirm_email', 'reset_password', 'unlock', 'change_email'))
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"csrf_secret" text NOT NULL,
	"remembered" boolean DEFAULT false NOT NULL,
	"address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" bigint NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "user_roles_user_id_role_pk" PRIMARY KEY("user_id","role"),
	CONSTRAINT "user_roles_role" CHECK ("user_roles"."role" IN ('admin', 'operator'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text,
	"username" text NOT NULL,
	"phone" text,
	"password_hash" text,
	"guest" boolean DEFAULT false NOT NULL,
	"robot" boolean DEFAULT false NOT NULL,
	"avatar_blob_id" bigint,
	"avatar" jsonb,
	"preferences" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"locked_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"confirm_by" timestamp with time zone,
	"deactivated_at" timestamp with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email")),
	CONSTRAINT "users_reachable" CHECK ("users"."guest" OR "users"."robot" OR "users"."email" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD CONSTRAINT "blueprint_events_blueprint_id_blueprints_id_fk" FOREIGN KEY ("blueprint_id") REFERENCES "public"."blueprints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_checks" ADD CONSTRAINT "book_checks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_account" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."accounts"("id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calls" ADD CONSTRAINT "calls_spot" FOREIGN KEY ("spot_id","event_id") REFERENCES "public"."spots"("id","event_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_blueprint_event_id_blueprint_events_id_fk" FOREIGN KEY ("blueprint_event_id") REFERENCES "public"."blueprint_events"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spots" ADD CONSTRAINT "spots_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exclusions" ADD CONSTRAINT "exclusions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exclusions" ADD CONSTRAINT "exclusions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exclusions" ADD CONSTRAINT "exclusions_excluded_by_id_users_id_fk" FOREIGN KEY ("excluded_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_supersedes_id_journal_id_fk" FOREIGN KEY ("supersedes_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_part_of_id_journal_id_fk" FOREIGN KEY ("part_of_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_journal_id_journal_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_journal_id_journal_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chargebacks" ADD CONSTRAINT "chargebacks_return_journal_id_journal_id_fk" FOREIGN KEY ("return_journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_flags" ADD CONSTRAINT "payment_flags_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_flags" ADD CONSTRAINT "payment_flags_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_journal_id_journal_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journal"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_blueprint_id_blueprints_id_fk" FOREIGN KEY ("blueprint_id") REFERENCES "public"."blueprints"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_avatar_blob_id_blobs_id_fk" FOREIGN KEY ("avatar_blob_id") REFERENCES "public"."blobs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_owner" ON "accounts" USING btree ("user_id","kind") WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_system" ON "accounts" USING btree ("kind") WHERE user_id IS NULL;--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject_type","subject_id");--> statement-breakpoint
CREATE INDEX "audit_session" ON "audit" USING btree ("session_id","id");--> statement-breakpoint
CREATE INDEX "blobs_unattached" ON "blobs" USING btree ("created_at") WHERE attached_at IS NULL OR discarded_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "blueprint_events_blueprint" ON "blueprint_events" USING btree ("blueprint_id");--> statement-breakpoint
CREATE INDEX "book_checks_at" ON "book_checks" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "calls_event_user" ON "calls" USING btree ("event_id","user_id") WHERE state IN ('placed', 'closed', 'resolved');--> statement-breakpoint
CREATE INDEX "calls_user" ON "calls" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "events_session" ON "events" USING btree ("session_id","position");--> statement-breakpoint
CREATE INDEX "events_blueprint_event" ON "events" USING btree ("blueprint_event_id");--> statement-breakpoint
CREATE INDEX "events_due" ON "events" USING btree ("due_at") WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "events_live" ON "events" USING btree ("id") WHERE state IN ('open', 'closed');--> statement-breakpoint
CREATE INDEX "leaderboard_changes_session" ON "leaderboard_changes" USING btree ("session_id","id");--> statement-breakpoint
CREATE INDEX "entries_journal" ON "entries" USING btree ("journal_id");--> statement-breakpoint
CREATE INDEX "entries_call" ON "entries" USING btree ("call_id") WHERE call_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "journal_event" ON "journal" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_one_live" ON "settlements" USING btree ("event_id","round") WHERE NOT superseded;--> statement-breakpoint
CREATE INDEX "settlements_unpaid" ON "settlements" USING btree ("id") WHERE paid_at IS NULL AND NOT superseded;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE sent_at IS NULL AND failed_at IS NULL;--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","kind","sent_at");--> statement-breakpoint
CREATE INDEX "messages_session" ON "messages" USING btree ("session_id","id");--> statement-breakpoint
CREATE INDEX "messages_user" ON "messages" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "outbox_unsent" ON "outbox" USING btree ("id") WHERE sent_at IS NULL;--> statement-breakpoint
CREATE INDEX "chargebacks_asked" ON "chargebacks" USING btree ("created_at") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "payment_flags_open" ON "payment_flags" USING btree ("id") WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX "payments_user" ON "payments" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "results_user" ON "results" USING btree ("user_id","resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "results_last" ON "results" USING btree ("resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "results_session_last" ON "results" USING btree ("session_id","resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "scores_order" ON "scores" USING btree ("session_id","wins" DESC NULLS FIRST,"losses","net_cents" DESC NULLS FIRST,"user_id");--> statement-breakpoint
CREATE INDEX "scores_stale" ON "scores" USING btree ("user_id") WHERE stale;--> statement-breakpoint
CREATE INDEX "registrations_user" ON "registrations" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_one_active" ON "sessions" USING btree ("active") WHERE active;--> statement-breakpoint
CREATE INDEX "sessions_state" ON "sessions" USING btree ("state","starts_at");--> statement-breakpoint
CREATE INDEX "sessions_blueprint" ON "sessions" USING btree ("blueprint_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_hash" ON "tokens" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_user_kind" ON "tokens" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username"));--> statement-breakpoint
-- From here on by hand: what the schema in TypeScript cannot say.
-- The house's own accounts, one each: house (corrections by hand), external (the world of payments), promo (play money)
-- and clearing, which holds money while a settlement is paid in parts: what the parts so far have taken from the losers
-- and not yet given to the winners, or the other way round. It is empty once all parts are paid.
INSERT INTO "accounts" ("kind") VALUES ('house'), ('external'), ('promo'), ('clearing');--> statement-breakpoint
-- Rows that change all the time get free space on their page, so that an update touches no index.
ALTER TABLE "accounts" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "spots" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "events" SET (fillfactor = 80);--> statement-breakpoint
-- Checked at the end of each statement: one UPDATE renumbers a whole blueprint. A verb that needs several statements runs
-- SET CONSTRAINTS blueprint_events_position DEFERRED first.
ALTER TABLE "blueprint_events" ADD CONSTRAINT "blueprint_events_position"
	UNIQUE ("blueprint_id","position") DEFERRABLE INITIALLY IMMEDIATE;
