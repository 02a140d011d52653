CREATE TABLE "known_browsers" (
	"user_id" bigint NOT NULL,
	"browser_id" uuid NOT NULL,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"signed_in_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "known_browsers_user_id_browser_id_pk" PRIMARY KEY("user_id","browser_id")
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_reachable";--> statement-breakpoint
ALTER TABLE "sign_ins" ADD COLUMN "failed_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_deleted" CHECK ("users"."deleted_at" IS NULL OR ("users"."email" IS NULL AND "users"."deactivated_at" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_reachable" CHECK ("users"."guest" OR "users"."robot" OR "users"."email" IS NOT NULL OR "users"."deleted_at" IS NOT NULL);