DROP INDEX "events_session";--> statement-breakpoint
CREATE INDEX "events_in_order" ON "events" USING btree ("session_id","position","id");