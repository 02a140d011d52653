CREATE TABLE "audit_personal" (
	"audit_id" bigint PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_personal" ADD CONSTRAINT "audit_personal_audit_id_audit_id_fk" FOREIGN KEY ("audit_id") REFERENCES "public"."audit"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_personal" ADD CONSTRAINT "audit_personal_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_personal_user" ON "audit_personal" USING btree ("user_id");--> statement-breakpoint
INSERT INTO audit_personal (audit_id, user_id, before, after)
SELECT a.id, u.id, a.before, a.after FROM audit a
	JOIN users u ON u.id = CASE WHEN a.action = 'change_profile' THEN a.subject_id ELSE (a.before ->> 'userId')::bigint END
WHERE a.action IN ('change_profile', 'destroy_message');--> statement-breakpoint
UPDATE audit SET before = '{}', after = '{}' WHERE id IN (SELECT audit_id FROM audit_personal);
