CREATE TABLE "troubles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "troubles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"part" text NOT NULL,
	"process" text NOT NULL,
	"what" text NOT NULL,
	"detail" text,
	"cure" text NOT NULL,
	"since" timestamp with time zone DEFAULT game_now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT game_now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "troubles_open" ON "troubles" USING btree ("part","process") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "troubles_since" ON "troubles" USING btree ("since");