CREATE TABLE "results" (
	"event_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"session_id" bigint,
	"resolved_at" timestamp with time zone NOT NULL,
	"calls_count" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"wagered_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"refunded" boolean NOT NULL,
	CONSTRAINT "results_event_id_user_id_pk" PRIMARY KEY("event_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "scores" (
	"user_id" bigint NOT NULL,
	"session_id" bigint,
	"played" integer NOT NULL,
	"wins" integer NOT NULL,
	"losses" integer NOT NULL,
	"refunded" integer NOT NULL,
	"calls_count" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"wagered_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"current_streak" integer NOT NULL,
	"best_streak" integer NOT NULL,
	"last_resolved_at" timestamp with time zone NOT NULL,
	"last_event_id" bigint NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	CONSTRAINT "scores_user_session" UNIQUE NULLS NOT DISTINCT("user_id","session_id")
);
--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scores" ADD CONSTRAINT "scores_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "results_user" ON "results" USING btree ("user_id","resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "results_last" ON "results" USING btree ("resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "results_session_last" ON "results" USING btree ("session_id","resolved_at","event_id");--> statement-breakpoint
CREATE INDEX "scores_order" ON "scores" USING btree ("session_id","wins" DESC NULLS LAST,"losses","net_cents" DESC NULLS LAST,"user_id");--> statement-breakpoint
CREATE INDEX "scores_stale" ON "scores" USING btree ("user_id") WHERE stale;--> statement-breakpoint
-- What was resolved before these tables were there.
INSERT INTO results (event_id, user_id, session_id, resolved_at, calls_count, net_cents, wagered_cents, returned_cents, refunded)
  SELECT e.id, c.user_id, e.session_id, e.resolved_at, count(*), sum(c.payout_cents - c.wager_cents),
    coalesce(sum(c.wager_cents) FILTER (WHERE c.outcome <> 'refunded'), 0),
    coalesce(sum(c.payout_cents) FILTER (WHERE c.outcome <> 'refunded'), 0), bool_and(c.outcome = 'refunded')
  FROM events e JOIN calls c ON c.event_id = e.id AND c.round = e.round
  WHERE e.result IS NOT NULL AND c.state = 'resolved' GROUP BY e.id, c.user_id;
--> statement-breakpoint
WITH scoped AS (
  SELECT NULL::bigint AS scope, r.* FROM results r
  UNION ALL SELECT session_id, r.* FROM results r WHERE session_id IS NOT NULL
),
runs AS (
  SELECT *, count(*) FILTER (WHERE net_cents < 0) OVER (PARTITION BY user_id, scope ORDER BY resolved_at, event_id) AS run
  FROM scoped
),
streaks AS (
  SELECT user_id, scope, run, count(*) FILTER (WHERE net_cents > 0) AS wins FROM runs GROUP BY user_id, scope, run
),
counted AS (
  SELECT user_id, scope, (array_agg(wins ORDER BY run DESC))[1] AS current_streak, max(wins) AS best_streak
  FROM streaks GROUP BY user_id, scope
),
sums AS (
  SELECT user_id, scope, count(*) AS played, count(*) FILTER (WHERE net_cents > 0) AS wins,
    count(*) FILTER (WHERE net_cents < 0) AS losses, count(*) FILTER (WHERE refunded) AS refunded,
    sum(calls_count) AS calls_count, sum(net_cents) AS net_cents, sum(wagered_cents) AS wagered_cents,
    sum(returned_cents) AS returned_cents, max(resolved_at) AS last_resolved_at,
    (array_agg(event_id ORDER BY resolved_at DESC, event_id DESC))[1] AS last_event_id
  FROM scoped GROUP BY user_id, scope
)
INSERT INTO scores (user_id, session_id, played, wins, losses, refunded, calls_count, net_cents, wagered_cents,
  returned_cents, current_streak, best_streak, last_resolved_at, last_event_id)
  SELECT s.user_id, s.scope, played, wins, losses, refunded, calls_count, net_cents, wagered_cents, returned_cents,
    current_streak, best_streak, last_resolved_at, last_event_id
  FROM sums s JOIN counted c ON c.user_id = s.user_id AND c.scope IS NOT DISTINCT FROM s.scope;
