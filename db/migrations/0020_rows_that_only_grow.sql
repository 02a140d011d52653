DROP INDEX "shares_user";--> statement-breakpoint
CREATE INDEX "blobs_uploader" ON "blobs" USING btree ("uploaded_by_id","id");--> statement-breakpoint
CREATE INDEX "blobs_no_picture" ON "blobs" USING btree ("attached_at") WHERE NOT picture;--> statement-breakpoint
CREATE INDEX "leaderboard_changes_created" ON "leaderboard_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "mails_sent" ON "mails" USING btree ("sent_at") WHERE sent_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("failed_at") WHERE failed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "mails_kept" ON "mails" USING btree ("id") WHERE kept IS NOT NULL;--> statement-breakpoint
CREATE INDEX "notifications_created" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "shares_session" ON "shares" USING btree ("session_id") WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shares_over" ON "shares" USING btree (least(revoked_at, expires_at));--> statement-breakpoint
CREATE INDEX "tokens_expiry" ON "tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "known_browsers_signed_in" ON "known_browsers" USING btree ("signed_in_at");--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("created_at") WHERE guest AND deactivated_at IS NULL;--> statement-breakpoint
CREATE INDEX "users_just_deleted" ON "users" USING btree ("deleted_at") WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "users_avatar_blob" ON "users" USING btree ("avatar_blob_id") WHERE avatar_blob_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "shares_owner" ON "shares" USING btree ("user_id","id");