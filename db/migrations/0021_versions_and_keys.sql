CREATE TABLE "idempotency_keys" (
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"outcome" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_purpose_key_pk" PRIMARY KEY("user_id","purpose","key")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blueprint_events" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "blueprints" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.version := OLD.version + 1;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER blueprints_version BEFORE UPDATE ON blueprints FOR EACH ROW
	WHEN ((OLD.name, OLD.description, OLD.defaults) IS DISTINCT FROM (NEW.name, NEW.description, NEW.defaults))
	EXECUTE FUNCTION raise_version();
--> statement-breakpoint
CREATE TRIGGER blueprint_events_version BEFORE UPDATE ON blueprint_events FOR EACH ROW
	WHEN ((OLD.title, OLD.description, OLD.true_label, OLD.false_label, OLD.start_mode, OLD.offset_seconds,
			OLD.duration_seconds, OLD.resolve_within_seconds, OLD.min_wager_cents, OLD.max_wager_cents, OLD.auto_result)
		IS DISTINCT FROM (NEW.title, NEW.description, NEW.true_label, NEW.false_label, NEW.start_mode, NEW.offset_seconds,
			NEW.duration_seconds, NEW.resolve_within_seconds, NEW.min_wager_cents, NEW.max_wager_cents, NEW.auto_result))
	EXECUTE FUNCTION raise_version();
--> statement-breakpoint
CREATE TRIGGER users_version BEFORE UPDATE ON users FOR EACH ROW
	WHEN ((OLD.email, OLD.username, OLD.phone, OLD.guest, OLD.confirmed_at, OLD.locked_at, OLD.deactivated_at)
		IS DISTINCT FROM (NEW.email, NEW.username, NEW.phone, NEW.guest, NEW.confirmed_at, NEW.locked_at, NEW.deactivated_at))
	EXECUTE FUNCTION raise_version();
--> statement-breakpoint
-- Roles are the user's too.
CREATE FUNCTION raise_version_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE users SET version = version + 1 WHERE id = coalesce(NEW.user_id, OLD.user_id);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_roles_version AFTER INSERT OR DELETE ON user_roles FOR EACH ROW
	EXECUTE FUNCTION raise_version_of_user();
