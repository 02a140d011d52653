CREATE TABLE "earlier_texts" (
	"event_id" bigint NOT NULL,
	"last_call_id" bigint NOT NULL,
	"title" text NOT NULL,
	"true_label" text NOT NULL,
	"false_label" text NOT NULL,
	CONSTRAINT "earlier_texts_event_id_last_call_id_pk" PRIMARY KEY("event_id","last_call_id")
);
--> statement-breakpoint
ALTER TABLE "earlier_texts" ADD CONSTRAINT "earlier_texts_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- Calls of rounds that are over, and of events that are hidden or deleted: what the public saw of the round last. Where there was no log,
-- the present texts without the changes that the audit has since the reset. Where nothing says it, no text of the event, because
-- that may be a draft's.
INSERT INTO "earlier_texts" (event_id, last_call_id, title, true_label, false_label)
SELECT e.id, called.last,
	coalesce(logged.detail ->> 'title', renamed.title, CASE WHEN ended.known THEN e.title END, 'A question of an earlier round'),
	coalesce(logged.detail ->> 'trueLabel', renamed.true_label, CASE WHEN ended.known THEN e.true_label END, 'True'),
	coalesce(logged.detail ->> 'falseLabel', renamed.false_label, CASE WHEN ended.known THEN e.false_label END, 'False')
FROM events e CROSS JOIN LATERAL generate_series(1, e.round) AS r(round)
	CROSS JOIN LATERAL (SELECT max(c.id) AS last FROM calls c WHERE c.event_id = e.id AND c.round = r.round) called
	LEFT JOIN LATERAL (
		SELECT l.detail FROM session_log l
		WHERE l.session_id = e.session_id AND l.kind = 'event' AND l.subject_id = e.id AND (l.detail ->> 'round')::int = r.round
			AND l.detail ->> 'state' IN ('visible', 'open', 'closed', 'resolved')
		ORDER BY l.id DESC LIMIT 1
	) logged ON true
	LEFT JOIN LATERAL (
		SELECT a.id FROM audit a WHERE a.subject_type = 'event' AND a.subject_id = e.id AND a.action = 'reset'
		ORDER BY a.id OFFSET r.round - 1 LIMIT 1
	) reset ON true
	CROSS JOIN LATERAL (SELECT reset.id IS NOT NULL OR r.round = e.round AS known) ended
	LEFT JOIN LATERAL (
		SELECT (array_agg(a.before ->> 'title' ORDER BY a.id) FILTER (WHERE a.before ->> 'title' IS NOT NULL))[1] AS title,
			(array_agg(a.before ->> 'trueLabel' ORDER BY a.id) FILTER (WHERE a.before ->> 'trueLabel' IS NOT NULL))[1] AS true_label,
			(array_agg(a.before ->> 'falseLabel' ORDER BY a.id) FILTER (WHERE a.before ->> 'falseLabel' IS NOT NULL))[1] AS false_label
		FROM audit a WHERE a.subject_type = 'event' AND a.subject_id = e.id AND a.action = 'update_event' AND a.id > reset.id
	) renamed ON true
WHERE (e.round > 1 OR e.state IN ('hidden', 'soft_destroyed')) AND (r.round < e.round OR e.state IN ('hidden', 'soft_destroyed'))
	AND called.last IS NOT NULL;
