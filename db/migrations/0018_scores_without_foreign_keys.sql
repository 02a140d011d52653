ALTER TABLE "scores" DROP CONSTRAINT "scores_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "scores" DROP CONSTRAINT "scores_session_id_sessions_id_fk";
