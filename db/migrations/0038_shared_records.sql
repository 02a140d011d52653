ALTER TABLE "shares" DROP CONSTRAINT "shares_kind_known";--> statement-breakpoint
ALTER TABLE "shares" DROP CONSTRAINT "shares_target";--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_kind_known" CHECK ("shares"."kind" IN ('call', 'result', 'session', 'records'));--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_target" CHECK (("shares"."kind" = 'session') = ("shares"."session_id" IS NOT NULL)
        AND ("shares"."kind" IN ('call', 'result')) = ("shares"."call_id" IS NOT NULL));