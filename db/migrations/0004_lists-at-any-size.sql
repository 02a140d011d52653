DROP INDEX "registrations_user";--> statement-breakpoint
CREATE INDEX "events_state" ON "events" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "registrations_newest" ON "registrations" USING btree ("user_id","id");--> statement-breakpoint
-- search_grams also returns single characters now.
REINDEX INDEX "users_search";
