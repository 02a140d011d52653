ALTER TABLE "blueprint_events" DROP CONSTRAINT "blueprint_events_start_mode";--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_start_mode";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "start_lead_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD CONSTRAINT "blueprint_events_start_mode" CHECK ("blueprint_events"."start_mode" IN ('after_previous', 'offset', 'after_result', 'by_hand'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_start_mode" CHECK ("events"."start_mode" IN ('after_previous', 'offset', 'after_result', 'by_hand'));--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_start_lead" CHECK ("sessions"."start_lead_seconds" >= 0);