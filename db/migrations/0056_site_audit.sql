CREATE INDEX "audit_time" ON "audit" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_kind" ON "audit" USING btree ("subject_type","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_session_time" ON "audit" USING btree ("session_id","created_at","id");