ALTER TABLE "blueprint_events" ADD COLUMN "picture" jsonb;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD COLUMN "explanation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD COLUMN "host_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "picture" jsonb;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "explanation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "host_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "blobs_of_questions" ON "blobs" USING btree ("key") WHERE filename = 'question.webp';--> statement-breakpoint
CREATE INDEX "blueprint_events_picture" ON "blueprint_events" USING btree ((picture ->> 'key')) WHERE picture IS NOT NULL;--> statement-breakpoint
CREATE INDEX "events_picture" ON "events" USING btree ((picture ->> 'key')) WHERE picture IS NOT NULL;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD CONSTRAINT "blueprint_events_picture_text" CHECK ("blueprint_events"."picture" IS NULL OR coalesce("blueprint_events"."picture" ->> 'alt', '') <> '');--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_picture_text" CHECK ("events"."picture" IS NULL OR coalesce("events"."picture" ->> 'alt', '') <> '');