CREATE TABLE "invitation_uses" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"invitation_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"secret_hash" text NOT NULL,
	"made_by_id" bigint NOT NULL,
	"uses_max" integer NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "invitations_secret" UNIQUE("secret_hash"),
	CONSTRAINT "invitations_uses_max" CHECK ("invitations"."uses_max" BETWEEN 1 AND 1000),
	CONSTRAINT "invitations_uses" CHECK ("invitations"."uses" BETWEEN 0 AND "invitations"."uses_max")
);
--> statement-breakpoint
CREATE TABLE "switched_off" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "switched_off_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "switched_off_once" UNIQUE("name"),
	CONSTRAINT "switched_off_name_known" CHECK ("switched_off"."name" IN ('registration', 'guests', 'payments', 'chat', 'uploads'))
);
--> statement-breakpoint
ALTER TABLE "invitation_uses" ADD CONSTRAINT "invitation_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_uses" ADD CONSTRAINT "invitation_uses_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_uses_invitation" ON "invitation_uses" USING btree ("invitation_id","user_id");