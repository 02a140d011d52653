ALTER TABLE "blueprint_events" DROP CONSTRAINT "blueprint_events_duration";--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_duration";--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD CONSTRAINT "blueprint_events_duration" CHECK ("blueprint_events"."duration_seconds" BETWEEN 5 AND 2592000);--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_duration" CHECK ("events"."duration_seconds" BETWEEN 5 AND 2592000);