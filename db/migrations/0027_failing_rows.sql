CREATE TABLE "failing_rows" (
	"kind" text NOT NULL,
	"row_id" bigint NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp with time zone DEFAULT game_now() NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	CONSTRAINT "failing_rows_kind_row_id_pk" PRIMARY KEY("kind","row_id")
);
