ALTER TABLE "access_tokens" DROP CONSTRAINT "access_tokens_scope";--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "session_id" bigint;--> statement-breakpoint
CREATE INDEX "access_tokens_session" ON "access_tokens" USING btree ("session_id","id") WHERE "access_tokens"."session_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_dock" CHECK (("access_tokens"."scope" = 'dock') = ("access_tokens"."session_id" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_scope" CHECK ("access_tokens"."scope" IN ('read', 'run', 'dock'));