CREATE TABLE "dry_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dry_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"blueprint_id" bigint NOT NULL,
	"actor_id" bigint NOT NULL,
	"plan" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"failure" text,
	"events_done" integer DEFAULT 0 NOT NULL,
	"calls_count" integer DEFAULT 0 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"moved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp with time zone,
	"report" text,
	CONSTRAINT "dry_runs_state_known" CHECK ("dry_runs"."state" IN ('waiting', 'playing', 'done', 'failed', 'cancelled')),
	CONSTRAINT "dry_runs_failure_known" CHECK ("dry_runs"."failure" IN ('no_database', 'too_long', 'error')),
	CONSTRAINT "dry_runs_failed" CHECK (("dry_runs"."failure" IS NOT NULL) = ("dry_runs"."state" = 'failed')),
	CONSTRAINT "dry_runs_reported" CHECK (("dry_runs"."report" IS NOT NULL) = ("dry_runs"."state" = 'done')),
	CONSTRAINT "dry_runs_ended" CHECK (("dry_runs"."ended_at" IS NULL) = ("dry_runs"."state" IN ('waiting', 'playing')))
);
--> statement-breakpoint
ALTER TABLE "dry_runs" ADD CONSTRAINT "dry_runs_blueprint_id_blueprints_id_fk" FOREIGN KEY ("blueprint_id") REFERENCES "public"."blueprints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dry_runs" ADD CONSTRAINT "dry_runs_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dry_runs_one_per_admin" ON "dry_runs" USING btree ("actor_id") WHERE "dry_runs"."state" IN ('waiting', 'playing');--> statement-breakpoint
CREATE INDEX "dry_runs_blueprint" ON "dry_runs" USING btree ("blueprint_id","id");--> statement-breakpoint
CREATE INDEX "dry_runs_created" ON "dry_runs" USING btree ("created_at");