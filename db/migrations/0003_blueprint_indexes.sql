CREATE INDEX "sessions_blueprint" ON "sessions" USING btree ("blueprint_id");--> statement-breakpoint
CREATE INDEX "events_blueprint_event" ON "events" USING btree ("blueprint_event_id");