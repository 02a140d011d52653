ALTER TABLE "journal" DROP CONSTRAINT "journal_kind_known";--> statement-breakpoint
DROP INDEX "users_username";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "merged_into" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_merged_into_users_id_fk" FOREIGN KEY ("merged_into") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_merged" ON "users" USING btree ("merged_into") WHERE merged_into IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username"),(CASE WHEN "merged_into" IS NULL THEN 0 ELSE "id" END));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_merged_guest" CHECK ("users"."merged_into" IS NULL OR ("users"."guest" AND "users"."deactivated_at" IS NOT NULL));--> statement-breakpoint
ALTER TABLE "journal" ADD CONSTRAINT "journal_kind_known" CHECK ("journal"."kind" IN ('grant', 'deposit', 'withdrawal', 'settle', 'resettle', 'chargeback', 'adjust', 'repay', 'merge'));