CREATE INDEX "sessions_started" ON "sessions" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "sessions_stopped" ON "sessions" USING btree ("stopped_at");