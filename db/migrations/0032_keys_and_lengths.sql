ALTER TABLE "messages" DROP CONSTRAINT "messages_body";--> statement-breakpoint
CREATE INDEX "idempotency_keys_key" ON "idempotency_keys" USING btree ("key");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_body" CHECK (length("messages"."body") BETWEEN 1 AND 8000);