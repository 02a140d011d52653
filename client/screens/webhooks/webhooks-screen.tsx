import { useActionData, useLoaderData } from "react-router";
import { DoneNote } from "#client/ui/done-note.tsx";
import { EmptyState } from "#client/ui/empty-state.tsx";
import * as frame from "#client/ui/frame-texts.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { SecretField } from "#client/ui/secret-field.tsx";
import type { WebhookSecretAnswer, WebhookView } from "#src/webhooks/schemas.ts";
import type { WebhooksOutcome, WebhooksRefusal } from "./act-on-webhooks.ts";
import { AddWebhook } from "./add-webhook.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import type { WebhooksData } from "./load-webhooks.ts";
import { WebhookRow } from "./webhook-row.tsx";
import * as texts from "./webhooks-texts.ts";

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
