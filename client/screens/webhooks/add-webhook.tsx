import { data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { momentIn } from "#client/base/format/field-time.ts";
import * as words from "#client/base/format/words.ts";
import { Checkbox } from "#client/ui/checkbox.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { boundTo } from "#client/ui/forms/bind.ts";
import { formAction, type RefusedForm } from "#client/ui/forms/form-action.ts";
import { Named, PostForm, Refusal } from "#client/ui/forms/post-form.tsx";
import type { FormOf } from "#client/ui/forms/read-form.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { webhookFormats, webhookKinds } from "#db/lists/webhooks.ts";
import { say } from "#src/http/contract.ts";
import {
  formatLabel,
  kindLabel,
  WEBHOOK_NAME_LENGTH_MAX,
  WEBHOOK_URL_LENGTH_MAX,
} from "#src/webhooks/contract.ts";
import type { WebhookView, WebhookSecretAnswer } from "#src/webhooks/schemas.ts";

export function AddWebhook({ refusal }: { refusal: WebhooksRefusal | undefined }) {
  return (
    <Panel title="Add a webhook">
      <PostForm className="body stack" action="/admin/webhooks" refused={refusal}>
        <Refusal refused={refusal} />
        <WebhookFields id="new" typed={refusal ?? { format: "json" }} kinds={refusal?.kinds ?? []} />
        <Submit intent="add">Add a webhook</Submit>
      </PostForm>
    </Panel>
  );
}

type WebhookFieldsProps = {
  id: string;
  /** What its fields hold: `sessions` are slugs or ids, with commas between. */
  typed: Parameters<typeof boundTo>[0];
  kinds: readonly string[];
};

const formats = webhookFormats.map((value) => ({ value, label: formatLabel(value) }));

/** The name, the address, the format, the sessions and the kinds of a webhook. @param id makes the ids of the fields, which the page has several times. */
function WebhookFields({ id, kinds, typed }: WebhookFieldsProps) {
  const bind = boundTo(typed);
  return (
    <>
      <Field label={words.name} id={`${id}-name`} maxLength={WEBHOOK_NAME_LENGTH_MAX} {...bind("name")} />
      <Field
        label="Address"
        id={`${id}-url`}
        inputMode="url"
        placeholder="https://"
        maxLength={WEBHOOK_URL_LENGTH_MAX}
        hint="It gets a POST for each change and each result."
        {...bind("url")}
      />
      <Choice
        label="Format"
        id={`${id}-format`}
        options={formats}
        hint="For Discord and Slack, enter the address of a webhook that you have made there."
        {...bind("format")}
      />
      <Field
        label="Sessions"
        id={`${id}-sessions`}
        hint="Their names in the address, such as friday-quiz, with commas between. Empty: all sessions that are not private. A private session is told only to webhooks that name it here."
        optional
        {...bind("sessions")}
      />
      <Kinds ticked={kinds} />
    </>
  );
}

function Kinds({ ticked }: { ticked: readonly string[] }) {
  return (
    <details className="fold">
      <summary className="small">{say`Told: ${kindsText(ticked.length)}`}</summary>
      <fieldset className="stack">
        <legend className="small ink2">Tick what it is told. Nothing ticked: everything.</legend>
        {webhookKinds.map((kind) => (
          <Checkbox key={kind} name="kinds" value={kind} defaultChecked={ticked.includes(kind)}>
            <span>
              {kindLabel(kind)} <span className="small muted">{kind}</span>
            </span>
          </Checkbox>
        ))}
      </fieldset>
    </details>
  );
}

/** How many kinds of messages it is told; 0: all. */
export const kindsText = (chosen: number) =>
  chosen === 0 ? "everything" : `${chosen} of ${webhookKinds.length} kinds of messages`;

export function Change({ webhook: { id, name, url, format, sessions, kinds } }: { webhook: WebhookView }) {
  return (
    <Confirm
      label={<Named label={words.change} name={name} />}
      className="btn sm"
      title={say`Change ${name}`}
      act={{ label: words.save, intent: "change" }}
    >
      <input type="hidden" name="id" value={id} />
      <WebhookFields
        id={`webhook-${id}`}
        typed={{ name, url, format, sessions: listOf(sessions, "slug") }}
        kinds={kinds}
      />
    </Confirm>
  );
}

export const listOf = (sessions: WebhookView["sessions"], key: "name" | "slug") =>
  sessions.map((session) => session[key]).join(", ");

const fields = {
  intent: "text",
  id: "text",
  deliveryId: "text",
  name: "text",
  url: "text",
  format: "optional",
  sessions: "optional",
  kinds: "list",
  from: "text",
  to: "text",
  kind: "optional",
} as const;
type Sent = FormOf<typeof fields>;

export type WebhooksRefusal = RefusedForm<typeof fields>;
/** What the page shows after a form: a new secret, or a refusal. */
export type WebhooksOutcome = WebhookSecretAnswer | WebhooksRefusal;

const doneBy: Readonly<Record<string, string>> = {
  ping: "tested",
  resend: "resent",
  change: "changed",
  on: "changed",
  off: "changed",
  remove: "removed",
};

/** Does what one of the page's forms asks for. A new secret is in this answer only. */
export const actOnWebhooks = formAction(fields, async (sent, { api, form }) => {
  const { intent, id } = sent;
  const done = intent === "again" ? await sendAgain(api, sent, form) : doneBy[intent];
  const secret = intent === "again" ? null : await actOn(api, sent);
  if (secret !== null) return secret;
  const shown = intent === "remove" ? "" : `webhook=${encodeURIComponent(id)}&`;
  return `/admin/webhooks?${shown}done=${done ?? ""}`;
});

async function sendAgain(api: Api, { id, kind }: Sent, form: FormData): Promise<string> {
  const range = { from: momentIn(form, "from"), to: momentIn(form, "to") };
  const { deliveries } = await api.put(`/api/v1/webhooks/${encodeURIComponent(id)}/resend`, {
    deliveries: { ...range, ...(kind !== undefined && { kind }) },
  });
  return deliveries.resent === 0 ? "none" : "again";
}

/** @returns the new secret, if there is one. */
async function actOn(
  api: Api,
  { intent, id, deliveryId, sessions = "", name, url, format, kinds }: Sent,
): Promise<WebhookSecretAnswer | null> {
  const webhook = {
    name,
    url,
    format,
    kinds,
    sessions: sessions
      .split(",")
      .map((slug) => slug.trim())
      .filter(Boolean),
  };
  const path = `/api/v1/webhooks/${encodeURIComponent(id)}` as const;
  if (intent === "add") return api.post("/api/v1/webhooks", { webhook });
  if (intent === "rotate") return api.put(`${path}/secret`);
  if (intent === "change") await api.patch(path, { webhook });
  else if (intent === "on" || intent === "off")
    await api.patch(path, { webhook: { enabled: intent === "on" } });
  else if (intent === "ping") await api.post(`${path}/ping`);
  else if (intent === "resend")
    await api.put(`/api/v1/webhook_deliveries/${encodeURIComponent(deliveryId)}/resend`);
  else if (intent === "remove") await api.delete(path);
  else throw data(null, { status: 400 });
  return null;
}
