ALTER TABLE "removed_players" ADD COLUMN "wave" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "before_stop" jsonb;--> statement-breakpoint
CREATE INDEX "registrations_came" ON "registrations" USING btree ("session_id","created_at");