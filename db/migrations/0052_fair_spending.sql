CREATE TABLE "breaks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "breaks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"period" text NOT NULL,
	"actor_id" bigint,
	"reason" text,
	"began_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	"ends_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "breaks_period_known" CHECK ("breaks"."period" IN ('day', 'week', 'month', 'half_year', 'year', 'five_years')),
	CONSTRAINT "breaks_reason" CHECK ("breaks"."actor_id" IS NULL OR coalesce(length("breaks"."reason"), 0) > 0)
);
--> statement-breakpoint
CREATE TABLE "deposit_limits" (
	"user_id" bigint NOT NULL,
	"days" integer NOT NULL,
	"amount_cents" bigint,
	"next_cents" bigint,
	"next_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "deposit_limits_user_id_days_pk" PRIMARY KEY("user_id","days"),
	CONSTRAINT "deposit_limits_days" CHECK ("deposit_limits"."days" IN (1, 7, 30)),
	CONSTRAINT "deposit_limits_amount" CHECK ("deposit_limits"."amount_cents" BETWEEN 1 AND 1000000),
	CONSTRAINT "deposit_limits_next" CHECK ("deposit_limits"."next_cents" BETWEEN 1 AND 1000000)
);
--> statement-breakpoint
CREATE TABLE "kept_breaks" (
	"mail_hash" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stated_ages" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"years" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind_known";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "site_limit_cents" bigint;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "breaks" ADD CONSTRAINT "breaks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "breaks" ADD CONSTRAINT "breaks_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposit_limits" ADD CONSTRAINT "deposit_limits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stated_ages" ADD CONSTRAINT "stated_ages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "breaks_user" ON "breaks" USING btree ("user_id","ends_at");--> statement-breakpoint
CREATE INDEX "breaks_began" ON "breaks" USING btree ("began_at");--> statement-breakpoint
CREATE INDEX "chargebacks_unsent" ON "chargebacks" USING btree ("created_at") WHERE state = 'taken' AND provider_ref IS NULL;--> statement-breakpoint
CREATE INDEX "payments_created" ON "payments" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind_known" CHECK ("notifications"."kind" IN ('result', 'refund', 'correction', 'session_live', 'payment', 'announcement', 'security', 'reminder', 'spending'));