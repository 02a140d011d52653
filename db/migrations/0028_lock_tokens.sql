CREATE SEQUENCE "public"."lock_tokens" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
-- Above all tokens that were taken from the clock of Redis, which are microseconds too.
SELECT setval('lock_tokens', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
