CREATE TABLE "identities" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "identities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "identities_person" UNIQUE("issuer","subject"),
	CONSTRAINT "identities_user" UNIQUE("user_id","issuer")
);
--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_known";--> statement-breakpoint
ALTER TABLE "session_hosts" ADD COLUMN "by_claim" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "id_token" text;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "proven_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user_roles" ADD COLUMN "by_claim" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind_known" CHECK ("mails"."kind" IN ('confirm_email', 'reset_password', 'unlock', 'change_email', 'email_change_asked', 'email_changed', 'password_changed', 'passkey_added', 'passkey_removed', 'provider_linked', 'session_reminder'));