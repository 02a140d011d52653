CREATE TABLE "removed_players" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "removed_players_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"join_code" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "removed_players_once" UNIQUE("session_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "join_code" text DEFAULT new_join_code() NOT NULL;--> statement-breakpoint
ALTER TABLE "removed_players" ADD CONSTRAINT "removed_players_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_players" ADD CONSTRAINT "removed_players_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_players_user" ON "removed_players" USING btree ("user_id","id");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_join_code_once" UNIQUE("join_code");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_join_code" CHECK ("sessions"."join_code" ~ '^[2-9A-HJKMNP-Z]{6}$');