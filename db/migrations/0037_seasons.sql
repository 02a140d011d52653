CREATE TABLE "seasons" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seasons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "seasons_slug" UNIQUE("slug"),
	CONSTRAINT "seasons_span" CHECK ("seasons"."starts_at" < "seasons"."ends_at")
);
--> statement-breakpoint
ALTER TABLE "seasons" ADD CONSTRAINT "seasons_apart" EXCLUDE USING gist (tstzrange("starts_at", "ends_at") WITH &&);