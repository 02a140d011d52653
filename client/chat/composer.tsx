import { type FormEvent, type KeyboardEvent, useRef } from "react";
import { MESSAGE_EVERY_SECONDS, MESSAGE_LENGTH_MAX } from "#src/chat/contract.ts";
import type { MuteView } from "#src/chat/schemas.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { useSync } from "../sync.ts";
import { Note } from "../ui/note.tsx";
import { Moment } from "../ui/time.tsx";
import { lastSaidMs, type Talk } from "./talk.ts";
import { useIsOver, useWait } from "./use-wait.ts";

/** From so few characters left on they are counted. */
const COUNTED_FROM = 100;
const SECOND_MS = 1_000;
const FIELD = "chat-message";
const HINT = "chat-hint";

type ComposerProps = Written & {
  talk: Talk;
  /** 0 for whom it does not bind. */
  slowModeSeconds: number;
  /** As the server has said, by its clock. */
  refusedUntilMs: number;
  formKey: string;
  say: (body: string) => void;
};
/** What stands in the field. */
type Written = { body: string; onBody: (body: string) => void };

/** The field to write in. Enter sends; while there is a wait what is typed stays. Without script it is an ordinary form. */
export function Composer(props: ComposerProps) {
  const { talk, slowModeSeconds, refusedUntilMs, body, onBody } = props;
  const everySeconds = Math.max(MESSAGE_EVERY_SECONDS, slowModeSeconds);
  const lastMs = lastSaidMs(talk);
  const nextMs = lastMs === null ? 0 : lastMs + everySeconds * SECOND_MS;
  const waitS = Math.min(everySeconds, useWait(Math.max(refusedUntilMs, nextMs)));
  const mayWrite = useIsOver(talk.muted === null ? 0 : Date.parse(talk.muted.until));
  if (talk.muted !== null && !mayWrite) return <Muted mute={talk.muted} />;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (waitS > 0 || body.trim() === "") return;
    props.say(body);
    onBody("");
  };
  return (
    <form className="chat-composer" method="post" onSubmit={send}>
      <CsrfField />
      <input type="hidden" name="idempotency_key" value={props.formKey} />
      <div className="chat-field">
        <MessageField body={body} onBody={onBody} />
        <button className="btn primary" type="submit" aria-disabled={waitS > 0}>
          {waitS > 0 ? `${waitS} s` : "Send"}
        </button>
      </div>
      <Hint slowModeSeconds={slowModeSeconds} left={MESSAGE_LENGTH_MAX - body.length} />
    </form>
  );
}

/** Puts the cursor where one writes. */
export function focusField(): void {
  document.querySelector<HTMLElement>(`#${FIELD}`)?.focus();
}

function MessageField({ body, onBody }: Written) {
  const field = useRef<HTMLTextAreaElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    field.current?.form?.requestSubmit();
  };
  return (
    <textarea
      className="input"
      id={FIELD}
      ref={field}
      name="body"
      rows={1}
      required
      maxLength={MESSAGE_LENGTH_MAX}
      aria-label="Message"
      aria-describedby={HINT}
      placeholder="Say something"
      enterKeyHint="send"
      autoComplete="off"
      value={body}
      onChange={({ currentTarget }) => onBody(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function Hint({ slowModeSeconds, left }: { slowModeSeconds: number; left: number }) {
  const offline = useSync() === "offline";
  const slow = slowModeSeconds > 0 ? `Slow mode: one message every ${slowModeSeconds} seconds.` : "";
  return (
    <p className="tiny muted chat-hint" id={HINT}>
      <span>{offline ? "You are offline. What you send now may not arrive." : slow}</span>
      {left > COUNTED_FROM ? null : <span className="num push">{left} left</span>}
    </p>
  );
}

function Muted({ mute }: { mute: MuteView }) {
  return (
    <div className="chat-composer">
      <Note>
        You cannot write here until <Moment at={mute.until} />: {mute.reason}
      </Note>
    </div>
  );
}
