ALTER TABLE "shares" ADD COLUMN "picture_blob_id" bigint;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "deletions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "delete_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "blobs" ADD COLUMN "delete_error" text;