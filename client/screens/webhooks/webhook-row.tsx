import { Form, Link } from "react-router";
import { Confirm } from "#client/ui/confirm.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import { formatLabel } from "#src/webhooks/contract.ts";
import type { WebhookView } from "#src/webhooks/schemas.ts";
import { WebhookFields } from "./add-webhook.tsx";
import * as texts from "./webhooks-texts.ts";

/** One webhook of the list: its state, and what can be done with it. */
export function WebhookRow({ webhook, isShown }: { webhook: WebhookView; isShown: boolean }) {
  const { id, name, url, format, sessions } = webhook;
  return (
    <li className="token-row">
      <div className="grow stack">
        <p className="row wrap">
          <b className="wrap-anywhere">{name}</b>
          <State webhook={webhook} />
        </p>
        <p className="small ink2 wrap-anywhere num">{url}</p>
        {format === "json" ? null : <p className="small ink2">{texts.asMessages(formatLabel(format))}</p>}
        <p className="small ink2 wrap-anywhere">
          {sessions.length === 0 ? texts.ofAll : texts.ofSessions(listOf(sessions, "name"))}
        </p>
        <Remarks webhook={webhook} />
        <div className="row wrap">
          <Link
            className="btn sm"
            to={`/admin/webhooks?webhook=${id}`}
            aria-current={isShown ? "true" : undefined}
            preventScrollReset
          >
            {texts.open}
            <Of name={name} />
          </Link>
          <Do webhook={webhook} intent="ping" label={texts.test} />
          {webhook.enabled ? (
            <SwitchOff webhook={webhook} />
          ) : (
            <Do webhook={webhook} intent="on" label={texts.switchOn} />
          )}
          <Change webhook={webhook} />
          <Confirm
            label={<Named label={texts.rotate} name={name} />}
            className="btn sm"
            title={texts.rotateTitle(name)}
            act={{ label: texts.rotate, intent: "rotate" }}
          >
            <p>{texts.rotateAbout}</p>
            <input type="hidden" name="id" value={id} />
          </Confirm>
          <Confirm
            label={<Named label={texts.remove} name={name} />}
            className="btn sm bad"
            title={texts.removeTitle(name)}
            act={{ label: texts.remove, intent: "remove" }}
          >
            <p>{texts.removeAbout}</p>
            <input type="hidden" name="id" value={id} />
          </Confirm>
        </div>
      </div>
    </li>
  );
}

function State({ webhook: { enabled, failingSince } }: { webhook: WebhookView }) {
  if (!enabled) {
    return (
      <Pill icon="pause" tone="gone">
        {texts.off}
      </Pill>
    );
  }
  return failingSince === null ? (
    <Pill icon="tick" tone="ok">
      {texts.on}
    </Pill>
  ) : (
    <Pill icon="warning" tone="bad">
      {texts.failing}
    </Pill>
  );
}

/** Since when it fails, and until when an older secret is valid. */
function Remarks({ webhook: { enabled, failingSince, rotatingUntil } }: { webhook: WebhookView }) {
  return (
    <>
      {failingSince === null ? null : (
        <p className="small">
          {fill(enabled ? texts.failingSince : texts.offSince, { since: <Moment at={failingSince} /> })}
        </p>
      )}
      {rotatingUntil === null ? null : (
        <p className="small ink2">{fill(texts.rotating, { until: <Moment at={rotatingUntil} /> })}</p>
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
    <Form method="post" action="/admin/webhooks" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="id" value={id} />
      <Submit className="btn sm" intent={intent}>
        <Named label={label} name={name} />
      </Submit>
    </Form>
  );
}

function SwitchOff({ webhook: { id, name } }: { webhook: WebhookView }) {
  return (
    <Confirm
      label={<Named label={texts.switchOff} name={name} />}
      className="btn sm"
      title={texts.switchOffTitle(name)}
      act={{ label: texts.switchOff, intent: "off" }}
    >
      <p>{texts.switchOffAbout}</p>
      <input type="hidden" name="id" value={id} />
    </Confirm>
  );
}

function Change({ webhook: { id, name, url, format, sessions } }: { webhook: WebhookView }) {
  return (
    <Confirm
      label={<Named label={texts.change} name={name} />}
      className="btn sm"
      title={texts.changeTitle(name)}
      act={{ label: texts.save, intent: "change" }}
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

const listOf = (sessions: WebhookView["sessions"], key: "name" | "slug") =>
  sessions.map((session) => session[key]).join(", ");

/** A label, and for screen readers which webhook it is about. */
function Named({ label, name }: { label: string; name: string }) {
  return (
    <>
      {label}
      <Of name={name} />
    </>
  );
}

function Of({ name }: { name: string }) {
  return <span className="vh">: {name}</span>;
}
