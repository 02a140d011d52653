import { Form, Link, useActionData, useLoaderData } from "react-router";
import { formatDate } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { DoneNote } from "#client/ui/done-note.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import { fill } from "#client/ui/fill.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import type { IconName } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Pill, type PillTone } from "#client/ui/pill.tsx";
import { SecretField } from "#client/ui/secret-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { ClockTime, Moment } from "#client/ui/time.tsx";
import type { DeliveryState } from "#src/webhooks/contract.ts";
import type {
  DeliveriesAnswer,
  DeliveryView,
  WebhookSecretAnswer,
  WebhookView,
} from "#src/webhooks/schemas.ts";
import type { WebhooksOutcome, WebhooksRefusal } from "./act-on-webhooks.ts";
import { AddWebhook } from "./add-webhook.tsx";
import type { WebhooksData } from "./load-webhooks.ts";
import { WebhookRow } from "./webhook-row.tsx";
import * as texts from "./webhooks-texts.ts";

const looks: Record<DeliveryState, { icon: IconName; tone: PillTone }> = {
  waiting: { icon: "clock", tone: "warn" },
  delivered: { icon: "tick", tone: "ok" },
  failed: { icon: "cross", tone: "bad" },
};

/** For admins: the webhooks, what can be done with each, and what was sent to one of them. */
export function WebhooksScreen() {
  const { webhooks, shown } = useLoaderData<WebhooksData>();
  const outcome = useActionData<WebhooksOutcome>() ?? null;
  const made = outcome !== null && "secret" in outcome ? outcome : null;
  const refusal = outcome !== null && "refusal" in outcome ? outcome : undefined;
  const isAdding = refusal?.intent === "add";
  return (
    <PageLayout title={frame.webhooks}>
      <Outcome made={made} refusal={isAdding ? undefined : refusal} />
      <div className="split">
        <Listed webhooks={webhooks} shown={shown} />
        <AddWebhook key={made?.webhook.id} refusal={isAdding ? refusal : undefined} />
      </div>
      <p className="small ink2">
        {texts.about} <a href="/api#receiving-webhooks">{texts.reference}</a>
      </p>
    </PageLayout>
  );
}

type OutcomeProps = { made: WebhookSecretAnswer | null; refusal: WebhooksRefusal | undefined };

/** What came of the last form: a new secret, a refusal, or what it did before this page was loaded again. */
function Outcome({ made, refusal }: OutcomeProps) {
  if (made !== null) return <Made {...made} />;
  return refusal === undefined ? <DoneNote texts={texts.done} /> : <Note tone="bad">{refusal.refusal}</Note>;
}

/** The webhooks, and the log of one of them. */
function Listed({ webhooks, shown }: WebhooksData) {
  return (
    <div className="stack wide">
      <Panel title={texts.list} aside={webhooks.length}>
        <WebhookList webhooks={webhooks} shownId={shown?.webhook.id ?? null} />
      </Panel>
      {shown === null ? null : <DeliveriesPanel {...shown} />}
    </div>
  );
}

function Made({ webhook, secret }: WebhookSecretAnswer) {
  return (
    <Panel title={texts.made}>
      <div className="body stack" role="status">
        <p>{texts.madeAbout}</p>
        <SecretField secret={secret} label={texts.secretOf(webhook.name)} />
      </div>
    </Panel>
  );
}

function WebhookList({ webhooks, shownId }: { webhooks: WebhookView[]; shownId: number | null }) {
  if (webhooks.length === 0) {
    return (
      <EmptyState icon="bolt" title={texts.none}>
        <p>{texts.noneAbout}</p>
      </EmptyState>
    );
  }
  return (
    <ul className="list">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} isShown={webhook.id === shownId} />
      ))}
    </ul>
  );
}

/** What was sent to a webhook, newest first. */
function DeliveriesPanel({ webhook, log }: { webhook: WebhookView; log: DeliveriesAnswer }) {
  const today = formatDate(log.meta.serverTime, useTimeZone());
  const refresh = (
    <Link to={`/admin/webhooks?webhook=${webhook.id}`} preventScrollReset>
      {texts.refresh}
    </Link>
  );
  return (
    <>
      <Panel title={texts.deliveriesTo(webhook.name)} aside={refresh}>
        {log.deliveries.length === 0 ? <p className="body small ink2">{texts.noDeliveries}</p> : null}
        <ul className="list">
          {log.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} today={today} />
          ))}
        </ul>
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
          <Pill {...looks[state]}>{texts.states[state]}</Pill>
          <b className="wrap-anywhere">{type}</b>
          <span className="small ink2 num">
            {texts.idOf(id)}, <ClockTime at={createdAt} day={today} />
          </span>
        </p>
        <Attempts delivery={delivery} />
      </div>
      <Form method="post" action="/admin/webhooks" preventScrollReset>
        <CsrfField />
        <input type="hidden" name="id" value={webhookId} />
        <input type="hidden" name="delivery_id" value={id} />
        <Submit className="btn sm" intent="resend">
          {state === "waiting" ? texts.sendNow : texts.resend}
          <span className="vh">
            : {type} {id}
          </span>
        </Submit>
      </Form>
    </li>
  );
}

/** How often it was tried, what came of the last attempt, and when the next one is. */
function Attempts({ delivery }: { delivery: DeliveryView }) {
  const { attempts, status, error, answer, tookMs, dueAt } = delivery;
  const facts = [
    attempts === 0 ? null : texts.attempts(attempts),
    status === null || error !== null ? null : texts.answered(status),
    tookMs === null ? null : texts.tookMs(tookMs),
  ].filter((fact) => fact !== null);
  return (
    <>
      {facts.length === 0 ? null : <p className="small ink2 num">{facts.join(", ")}</p>}
      {error === null ? null : <p className="small">{error}</p>}
      {answer === null || answer === "" ? null : (
        <p className="small ink2 wrap-anywhere answer">
          {fill(texts.answerIs, { answer: <code>{answer}</code> })}
        </p>
      )}
      {dueAt === null || attempts === 0 ? null : (
        <p className="small ink2">{fill(texts.next, { at: <Moment at={dueAt} /> })}</p>
      )}
    </>
  );
}
