CREATE TABLE "removed_names" (
	"hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "sign_ins_seen" ON "sign_ins" USING btree ("last_seen_at");