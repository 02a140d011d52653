import { Form } from "react-router";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Field } from "#client/ui/field.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useErrorFocus } from "#client/ui/use-error-focus.ts";
import { webhookFormats } from "#db/lists/webhooks.ts";
import { formatLabel, WEBHOOK_NAME_LENGTH_MAX, WEBHOOK_URL_LENGTH_MAX } from "#src/webhooks/contract.ts";
import type { WebhooksRefusal } from "./act-on-webhooks.ts";
import * as texts from "./webhooks-texts.ts";

/** The form that adds a webhook. */
export function AddWebhook({ refusal }: { refusal: WebhooksRefusal | undefined }) {
  const form = useErrorFocus<HTMLFormElement>(refusal);
  return (
    <Panel title={texts.add}>
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
        <Submit intent="add">{texts.add}</Submit>
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
        label={texts.name}
        id={`${id}-name`}
        name="name"
        maxLength={WEBHOOK_NAME_LENGTH_MAX}
        value={name}
        errors={errors["name"]}
      />
      <Field
        label={texts.address}
        id={`${id}-url`}
        name="url"
        inputMode="url"
        placeholder={texts.addressExample}
        maxLength={WEBHOOK_URL_LENGTH_MAX}
        hint={texts.addressHint}
        value={url}
        errors={errors["url"]}
      />
      <Choice
        label={texts.format}
        id={`${id}-format`}
        name="format"
        options={formats}
        value={format}
        hint={texts.formatHint}
        errors={errors["format"]}
      />
      <Field
        label={texts.sessions}
        id={`${id}-sessions`}
        name="sessions"
        hint={texts.sessionsHint}
        optional
        value={sessions}
        errors={errors["sessions"]}
      />
    </>
  );
}
