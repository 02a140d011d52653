ALTER TABLE "users" ADD COLUMN "avatar" jsonb;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "picture" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "stored_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "attached_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "discarded_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "blobs_unattached" ON "blobs" USING btree ("created_at") WHERE attached_at IS NULL OR discarded_at IS NOT NULL;