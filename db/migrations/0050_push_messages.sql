CREATE TABLE "push_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subscription_id" bigint NOT NULL,
	"about" text NOT NULL,
	"about_id" bigint NOT NULL,
	"service" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "push_messages_about" UNIQUE("subscription_id","about","about_id"),
	CONSTRAINT "push_messages_about_known" CHECK ("push_messages"."about" IN ('session', 'event', 'notification'))
);
--> statement-breakpoint
ALTER TABLE "push_messages" ADD CONSTRAINT "push_messages_subscription_id_push_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."push_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "push_messages_service" ON "push_messages" USING btree ("service","id");--> statement-breakpoint
CREATE INDEX "push_messages_due" ON "push_messages" USING btree ("due_at") WHERE sent_at IS NULL AND failed_at IS NULL;