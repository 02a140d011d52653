CREATE TABLE "session_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "session_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"step" bigint NOT NULL,
	"session_id" bigint,
	"kind" text NOT NULL,
	"subject_id" bigint NOT NULL,
	"created" boolean DEFAULT false NOT NULL,
	"detail" jsonb,
	"scores" bigint[],
	"at" timestamp with time zone DEFAULT game_now() NOT NULL,
	CONSTRAINT "session_log_kind_known" CHECK ("session_log"."kind" IN ('session', 'event', 'scores', 'exclusion', 'guest')),
	CONSTRAINT "session_log_scores" CHECK (("session_log"."kind" = 'scores') = ("session_log"."scores" IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX "session_log_session" ON "session_log" USING btree ("session_id","step");--> statement-breakpoint
CREATE INDEX "session_log_step" ON "session_log" USING btree ("step");