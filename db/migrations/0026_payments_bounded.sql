ALTER TABLE "payments" DROP CONSTRAINT "payments_amount";--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount" CHECK ("payments"."amount_cents" BETWEEN 1 AND 50000);