ALTER TABLE "registrations" ADD COLUMN "team" integer;--> statement-breakpoint
CREATE INDEX "registrations_team" ON "registrations" USING btree ("session_id","team") WHERE team IS NOT NULL;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_team_number" CHECK ("registrations"."team" BETWEEN 1 AND 12);