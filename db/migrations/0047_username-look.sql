DROP INDEX "users_username";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "username_look" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Until now all names were in plain ASCII.
UPDATE "users" SET "username_look" = lower("username" COLLATE "C");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree ("username_look",(CASE WHEN "merged_into" IS NULL THEN 0 ELSE "id" END));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_username_look" CHECK ("users"."username_look" <> '');