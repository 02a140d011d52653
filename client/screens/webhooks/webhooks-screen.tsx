import { Link, useActionData, useLoaderData } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Named, PostButton } from "#client/ui/forms/post-form.tsx";
import type { IconName } from "#client/ui/icon.tsx";
import { List } from "#client/ui/list.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { SecretPanel } from "#client/ui/secret-field.tsx";
import { ClockTime, Moment } from "#client/ui/time.tsx";
import { say } from "#src/http/contract.ts";
import {
  type DeliveryState,
  formatLabel,
  FAILING_HOURS_MAX,
  ROTATION_HOURS,
} from "#src/webhooks/contract.ts";
import type {
  DeliveriesAnswer,
  DeliveryView,
  WebhookSecretAnswer,
  WebhookView,
} from "#src/webhooks/schemas.ts";
import {
  AddWebhook,
  Change,
  kindsText,
  listOf,
  type WebhooksOutcome,
  type WebhooksRefusal,
} from "./add-webhook.tsx";
import { SendAgain } from "./send-again.tsx";

const done = {
  tested: "The test is on its way.",
  resent: "The message is on its way again.",
  again: "The messages are on their way again.",
  none: "Nothing was sent in that time, or it still waits.",
  changed: "The webhook is changed.",
  removed: "The webhook is deleted.",
};

const states: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Arrived",
  failed: "Given up",
};

const looks: Record<DeliveryState, { icon: IconName; tone: PillTone }> = {
  waiting: { icon: "clock", tone: "warn" },
  delivered: { icon: "tick", tone: "ok" },
  failed: { icon: "cross", tone: "bad" },
};

const SHOWN_MAX = 10;

export function WebhooksScreen() {
  const { webhooks, shown } = useLoaderData<WebhooksData>();
  const outcome = useActionData<WebhooksOutcome>() ?? null;
  const made = outcome !== null && "secret" in outcome ? outcome : null;
  const refusal = outcome !== null && "refusal" in outcome ? outcome : undefined;
  const isAdding = refusal?.intent === "add";
  return (
    <PageLayout title={words.webhooks}>
      <Outcome made={made} refusal={isAdding ? undefined : refusal} />
      <div className="split">
        <Listed
          webhooks={webhooks}
          shown={shown}
          refusal={refusal?.intent === "again" ? refusal : undefined}
        />
        <AddWebhook key={made?.webhook.id} refusal={isAdding ? refusal : undefined} />
      </div>
      <p className="small ink2">
        A webhook tells another program what happens in a show, as it happens: a scoreboard, a light, a
        channel in Discord or Slack.{" "}
        <a href="/api#receiving-webhooks">What it sends and how to check it, in the API's reference</a>
      </p>
    </PageLayout>
  );
}

type OutcomeProps = { made: WebhookSecretAnswer | null; refusal: WebhooksRefusal | undefined };

/** What came of the last form: a new secret, a refusal, or what it did before this page was loaded again. */
function Outcome({ made, refusal }: OutcomeProps) {
  if (made !== null)
    return (
      <SecretPanel
        title="The secret"
        about="Your program checks with it that messages come from here. Copy it now: it is not shown again."
        secret={made.secret}
        label={say`Secret of ${made.webhook.name}`}
      />
    );
  return refusal === undefined ? <DoneNote texts={done} /> : <Note tone="bad">{refusal.refusal}</Note>;
}

function Listed({ webhooks, shown, refusal }: WebhooksData & AgainRefusal) {
  return (
    <div className="stack wide">
      <Panel title={words.webhooks} aside={webhooks.length}>
        <WebhookList webhooks={webhooks} shownId={shown?.webhook.id ?? null} />
      </Panel>
      {shown === null ? null : <DeliveriesPanel {...shown} refusal={refusal} />}
    </div>
  );
}

function WebhookList({ webhooks, shownId }: { webhooks: WebhookView[]; shownId: number | null }) {
  if (webhooks.length === 0) {
    return (
      <EmptyState icon="bolt" title="No webhook yet">
        <p>Enter the address of a program. It gets each change of a session and each result.</p>
      </EmptyState>
    );
  }
  return (
    <List
      items={webhooks}
      row={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} isShown={webhook.id === shownId} />}
    />
  );
}

type AgainRefusal = { refusal: WebhooksRefusal | undefined };

function DeliveriesPanel({ webhook, log, refusal }: NonNullable<WebhooksData["shown"]> & AgainRefusal) {
  const today = formatDate(log.meta.serverTime, useTimeZone());
  const refresh = (
    <Link to={`/admin/webhooks?webhook=${webhook.id}`} preventScrollReset>
      Refresh
    </Link>
  );
  return (
    <>
      <Panel title={say`Deliveries to ${webhook.name}`} aside={refresh}>
        {log.deliveries.length === 0 ? (
          <p className="body small ink2">Nothing was sent yet. Send a test, or wait for the next show.</p>
        ) : null}
        <List
          items={log.deliveries}
          row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} today={today} />}
        />
        {log.deliveries.length === 0 ? null : (
          <div className="body">
            <SendAgain webhook={webhook} refusal={refusal} />
          </div>
        )}
      </Panel>
      <Pagination meta={log.meta} />
    </>
  );
}

function DeliveryRow({ delivery, today }: { delivery: DeliveryView; today: string }) {
  const { id, webhookId, type, state, createdAt } = delivery;
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <Pill {...looks[state]} text={states[state]} />
          <b className="wrap-anywhere">{type}</b>
          <span className="small ink2 num">
            {`id ${id}`}, <ClockTime at={createdAt} day={today} />
          </span>
        </p>
        <Attempts delivery={delivery} />
      </div>
      <PostButton
        intent="resend"
        fields={{ id: webhookId, delivery_id: id }}
        form={{ action: "/admin/webhooks", preventScrollReset: true }}
      >
        {state === "waiting" ? "Send now" : "Send again"}
        <span className="vh">
          : {type} {id}
        </span>
      </PostButton>
    </li>
  );
}

/** How often it was tried, what came of the last attempt, and when the next one is. */
function Attempts({ delivery }: { delivery: DeliveryView }) {
  const { attempts, status, error, answer, tookMs, dueAt } = delivery;
  const facts = [
    attempts === 0 ? null : countOf(attempts, "attempt"),
    status === null || error !== null ? null : `Answer ${status}`,
    tookMs === null ? null : `${tookMs} ms`,
  ].filter((fact) => fact !== null);
  return (
    <>
      {facts.length === 0 ? null : <p className="small ink2 num">{facts.join(", ")}</p>}
      {error === null ? null : <p className="small">{error}</p>}
      {answer === null || answer === "" ? null : (
        <p className="small ink2 wrap-anywhere answer">
          {fill("It said: {answer}", { answer: <code>{answer}</code> })}
        </p>
      )}
      {dueAt === null || attempts === 0 ? null : (
        <p className="small ink2">{fill(words.nextAttemptAt, { at: <Moment at={dueAt} /> })}</p>
      )}
    </>
  );
}

function WebhookRow({ webhook, isShown }: { webhook: WebhookView; isShown: boolean }) {
  const { id, name, url, format, sessions, kinds } = webhook;
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <b className="wrap-anywhere">{name}</b>
          <State webhook={webhook} />
        </p>
        <p className="small ink2 wrap-anywhere num">{url}</p>
        {format === "json" ? null : <p className="small ink2">{`As messages in ${formatLabel(format)}`}</p>}
        <p className="small ink2 wrap-anywhere">
          {sessions.length === 0
            ? "All sessions that are not private"
            : say`Only ${listOf(sessions, "name")}`}
          {kinds.length === 0 ? null : `, ${kindsText(kinds.length)}`}
        </p>
        <Remarks webhook={webhook} />
        <div className="row wrap">
          <Link
            className="btn sm"
            to={`/admin/webhooks?webhook=${id}`}
            aria-current={isShown ? "true" : undefined}
            preventScrollReset
          >
            <Named label="Deliveries" name={name} />
          </Link>
          <Do webhook={webhook} intent="ping" label="Send a test" />
          {webhook.enabled ? (
            <SwitchOff webhook={webhook} />
          ) : (
            <Do webhook={webhook} intent="on" label="Switch on" />
          )}
          <Change webhook={webhook} />
          <Confirm
            label={<Named label="New secret" name={name} />}
            className="btn sm"
            title={say`Give ${name} a new secret?`}
            act={{ label: "New secret", intent: "rotate" }}
          >
            <p>{`For ${ROTATION_HOURS} hours messages are signed with both secrets. Enter the new one in your program in this time.`}</p>
            <input type="hidden" name="id" value={id} />
          </Confirm>
          <Confirm
            label={<Named label={words.deleteIt} name={name} />}
            className="btn sm bad"
            title={say`Delete ${name}?`}
            act={{ label: words.deleteIt, intent: "remove" }}
          >
            <p>It receives nothing any more, and its log is deleted too.</p>
            <input type="hidden" name="id" value={id} />
          </Confirm>
        </div>
      </div>
    </li>
  );
}

function State({ webhook: { enabled, failingSince } }: { webhook: WebhookView }) {
  if (!enabled) {
    return <Pill icon="pause" tone="gone" text="Off" />;
  }
  return failingSince === null ? (
    <Pill icon="tick" tone="ok" text="On" />
  ) : (
    <Pill icon="warning" tone="bad" text="Failing" />
  );
}

/** Since when it fails, and until when an older secret is valid. */
function Remarks({ webhook: { enabled, failingSince, rotatingUntil } }: { webhook: WebhookView }) {
  return (
    <>
      {failingSince === null ? null : (
        <p className="small">
          {fill(
            enabled
              ? `No message has arrived since {since}. After ${FAILING_HOURS_MAX} hours it is switched off.`
              : "It was switched off because no message had arrived since {since}. Send a test, then switch it on.",
            { since: <Moment at={failingSince} /> },
          )}
        </p>
      )}
      {rotatingUntil === null ? null : (
        <p className="small ink2">
          {fill("The secret before this one signs too until {until}.", {
            until: <Moment at={rotatingUntil} />,
          })}
        </p>
      )}
    </>
  );
}

/** A button that acts at once. */
function Do({
  webhook: { id, name },
  intent,
  label,
}: {
  webhook: WebhookView;
  intent: string;
  label: string;
}) {
  return (
    <PostButton
      intent={intent}
      fields={{ id }}
      form={{ action: "/admin/webhooks", preventScrollReset: true }}
    >
      <Named label={label} name={name} />
    </PostButton>
  );
}

function SwitchOff({ webhook: { id, name } }: { webhook: WebhookView }) {
  return (
    <Confirm
      label={<Named label="Switch off" name={name} />}
      className="btn sm"
      title={say`Switch ${name} off?`}
      act={{ label: "Switch off", intent: "off" }}
    >
      <p>It receives nothing until you switch it on again, and what waits for it is dropped.</p>
      <input type="hidden" name="id" value={id} />
    </Confirm>
  );
}

type WebhooksData = {
  webhooks: WebhookView[];
  /** The webhook whose log is shown, and a page of it; null if there is no webhook. */
  shown: { webhook: WebhookView; log: DeliveriesAnswer } | null;
};

/** All webhooks, and the log of one: `?webhook=3&page=2`, by default of the first. */
export async function loadWebhooks({ api, url }: LoaderArgs): Promise<WebhooksData> {
  const search = url.searchParams;
  const { webhooks } = await api.get("/api/v1/webhooks");
  const webhook = webhooks.find(({ id }) => String(id) === search.get("webhook")) ?? webhooks[0];
  if (webhook === undefined) return { webhooks, shown: null };
  const query = { page: pageIn(search), perPage: SHOWN_MAX };
  const log = await api.get(`/api/v1/webhooks/${encodeURIComponent(webhook.id)}/deliveries`, {
    query,
  });
  return { webhooks, shown: { webhook, log } };
}
