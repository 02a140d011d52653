import type { FormEvent } from "react";
import { Form } from "react-router";
import { MUTE_REASON_LENGTH_MAX } from "#src/play/chat/contract.ts";
import type { MessageView } from "#src/play/chat/schemas.ts";
import { Choice } from "../ui/choice.tsx";
import { CsrfField } from "../ui/csrf-field.tsx";
import { Field } from "../ui/field.tsx";
import { Submit } from "../ui/submit.tsx";
import { useIsAdmin } from "../ui/use-is-admin.ts";
import * as texts from "./chat-texts.ts";

const minutes = [
  { value: "1", label: "1 minute" },
  { value: "5", label: "5 minutes" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "1440", label: "1 day" },
];

/** Whether a message is on the big screen: said to who wrote it, and to hosts, who let it there. */
export function Approval({ message, mine }: { message: MessageView; mine: boolean }) {
  if (message.approvedAt !== null) return <p className="tiny muted">{texts.onBigScreen}</p>;
  if (mine) return <p className="tiny muted">{texts.waitsForHost}</p>;
  return (
    <Form method="post" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="message_id" value={message.id} />
      <Submit className="btn sm" intent="approve">
        {texts.approve}
      </Submit>
    </Form>
  );
}

/** What hosts can do about a message, and admins about the name of who wrote it. Works without JavaScript. */
export function ManageMessage({ message, mine }: { message: MessageView; mine: boolean }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {isAdmin && !mine ? <RemoveName message={message} /> : null}
      <RemoveOrMute message={message} mine={mine} />
    </>
  );
}

/** What cannot be undone is opened first, so that a mistaken tap does nothing. */
function RemoveOrMute({ message, mine }: { message: MessageView; mine: boolean }) {
  const { id, userId, username } = message;
  return (
    <details className="manage">
      <summary className="small">
        {texts.manage} <span className="vh">{texts.messageOf(username)}</span>
      </summary>
      <Form method="post" preventScrollReset onSubmit={close}>
        <CsrfField />
        <input type="hidden" name="message_id" value={id} />
        <Submit className="btn sm bad" intent="remove">
          {texts.removeMessage}
        </Submit>
      </Form>
      {mine ? null : (
        <Form method="post" className="mute" preventScrollReset onSubmit={close}>
          <CsrfField />
          <input type="hidden" name="message_id" value={id} />
          <input type="hidden" name="user_id" value={userId} />
          <Choice
            label={texts.muteFor(username)}
            name="minutes"
            id={`minutes-${id}`}
            options={minutes}
            value="15"
          />
          <Field label={texts.reason} name="reason" id={`reason-${id}`} maxLength={MUTE_REASON_LENGTH_MAX} />
          <Submit className="btn sm" intent="mute">
            {texts.mute}
          </Submit>
        </Form>
      )}
    </details>
  );
}

/** Takes the name, face and picture of who wrote a message away: one click, because name and face come back by the next. A neutral name has no button. */
function RemoveName({ message: { userId, username } }: { message: MessageView }) {
  if (username === `guest_${userId}`) return null;
  return (
    <Form method="post" className="take-name" preventScrollReset>
      <CsrfField />
      <input type="hidden" name="user_id" value={userId} />
      <Submit className="small" intent="remove_name">
        {texts.removeName} <span className="vh">{texts.nameOf(username)}</span>
      </Submit>
    </Form>
  );
}

/** The form was sent. */
function close({ currentTarget }: FormEvent<HTMLFormElement>): void {
  currentTarget.closest("details")?.removeAttribute("open");
}
