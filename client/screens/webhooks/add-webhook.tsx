import { Form } from "react-router";
import * as words from "#client/base/format/words.ts";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { webhookFormats } from "#db/lists/webhooks.ts";
import { say } from "#src/http/contract.ts";
import { formatLabel, WEBHOOK_NAME_LENGTH_MAX, WEBHOOK_URL_LENGTH_MAX } from "#src/webhooks/contract.ts";
import type { WebhookView } from "#src/webhooks/schemas.ts";
import type { WebhooksRefusal } from "./act-on-webhooks.ts";

/** The form that adds a webhook. */
export function AddWebhook({ refusal }: { refusal: WebhooksRefusal | undefined }) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={words.addAWebhook}>
      <Form className="body stack" method="post" action="/admin/webhooks" ref={form}>
        <CsrfField />
        {refusal === undefined ? null : <Note tone="bad">{refusal.refusal}</Note>}
        <WebhookFields
          id="new"
          name={refusal?.name ?? ""}
          url={refusal?.url ?? ""}
          format={refusal?.format ?? "json"}
          sessions={refusal?.sessions ?? ""}
          errors={refusal?.errors ?? {}}
        />
        <Submit intent="add">{words.addAWebhook}</Submit>
      </Form>
    </Panel>
  );
}

type WebhookFieldsProps = {
  id: string;
  name: string;
  url: string;
  format: string;
  /** Slugs or ids, with commas between. */
  sessions: string;
  errors: Record<string, string[]>;
};

const formats = webhookFormats.map((value) => ({ value, label: formatLabel(value) }));

/** The name, the address, the format and the sessions of a webhook. @param id makes the ids of the fields, which the page has several times. */
export function WebhookFields({ id, name, url, format, sessions, errors }: WebhookFieldsProps) {
  return (
    <>
      <Field
        label={words.name}
        id={`${id}-name`}
        name="name"
        maxLength={WEBHOOK_NAME_LENGTH_MAX}
        value={name}
        errors={errors["name"]}
      />
      <Field
        label="Address"
        id={`${id}-url`}
        name="url"
        inputMode="url"
        placeholder="https://"
        maxLength={WEBHOOK_URL_LENGTH_MAX}
        hint="It gets a POST for each change and each result."
        value={url}
        errors={errors["url"]}
      />
      <Choice
        label="Format"
        id={`${id}-format`}
        name="format"
        options={formats}
        value={format}
        hint="For Discord and Slack, enter the address of a webhook that you have made there."
        errors={errors["format"]}
      />
      <Field
        label="Sessions"
        id={`${id}-sessions`}
        name="sessions"
        hint="Their names in the address, such as friday-quiz, with commas between. Empty: all sessions that are not private. A private session is told only to webhooks that name it here."
        optional
        value={sessions}
        errors={errors["sessions"]}
      />
    </>
  );
}

export function Change({ webhook: { id, name, url, format, sessions } }: { webhook: WebhookView }) {
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
        name={name}
        url={url}
        format={format}
        sessions={listOf(sessions, "slug")}
        errors={{}}
      />
    </Confirm>
  );
}

export const listOf = (sessions: WebhookView["sessions"], key: "name" | "slug") =>
  sessions.map((session) => session[key]).join(", ");

/** A label, and for screen readers which webhook it is about. */
export function Named({ label, name }: { label: string; name: string }) {
  return (
    <>
      {label}
      <Of name={name} />
    </>
  );
}

export function Of({ name }: { name: string }) {
  return <span className="vh">: {name}</span>;
}
