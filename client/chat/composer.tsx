import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { MESSAGE_EVERY_SECONDS, MESSAGE_LENGTH_MAX } from "#src/chat/contract.ts";
import type { MuteView } from "#src/chat/schemas.ts";
import { serverNow } from "../clock.ts";
import { useSync } from "../connection.ts";
import { CsrfField } from "../frame/csrf-field.tsx";
import { Note } from "../ui/note.tsx";
import { Moment } from "../ui/time.tsx";
import { type ChatState, lastSentMs } from "./chat-state.ts";

/** The characters left are shown from this number down. */
const COUNTED_FROM = 100;
const SECOND_MS = 1_000;
const FIELD = "chat-message";
const HINT = "chat-hint";

type ComposerProps = BodyProps & {
  state: ChatState;
  /** 0 for admins: slow mode does not apply to them. */
  slowModeSeconds: number;
  /** The server takes no message before this time, in milliseconds since 1970 by its clock. */
  refusedUntilMs: number;
  formKey: string;
  send: (body: string) => void;
};
/** The field's content. */
type BodyProps = { body: string; onBody: (body: string) => void };

/** The field for a new message. Enter sends it. While the player has to wait, the text stays. Without script it is an ordinary form. */
export function Composer(props: ComposerProps) {
  const { state, slowModeSeconds, refusedUntilMs, body, onBody } = props;
  const everySeconds = Math.max(MESSAGE_EVERY_SECONDS, slowModeSeconds);
  const lastMs = lastSentMs(state);
  const nextMs = lastMs === null ? 0 : lastMs + everySeconds * SECOND_MS;
  const waitS = Math.min(everySeconds, useSecondsUntil(Math.max(refusedUntilMs, nextMs)));
  const muteIsOver = useHasPassed(state.muted === null ? 0 : Date.parse(state.muted.until));
  if (state.muted !== null && !muteIsOver) return <Muted mute={state.muted} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (waitS > 0 || body.trim() === "") return;
    props.send(body);
    onBody("");
  };
  return (
    <form className="chat-composer" method="post" onSubmit={submit}>
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

/** Moves the focus to the message field. */
export function focusField(): void {
  document.querySelector<HTMLElement>(`#${FIELD}`)?.focus();
}

function MessageField({ body, onBody }: BodyProps) {
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
  const sync = useSync();
  const offline = sync === "offline" || sync === "refused";
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

const TICK_MS = 200;

/** Whole seconds until a time of the server's clock, counted down. 0 once it has passed, and in server rendering. */
function useSecondsUntil(untilMs: number): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const update = () => setSeconds(Math.max(0, Math.ceil((untilMs - serverNow()) / SECOND_MS)));
    update();
    if (untilMs <= serverNow()) return;
    const timer = setInterval(() => {
      update();
      if (untilMs <= serverNow()) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [untilMs]);
  return seconds;
}

/** True once a time of the server's clock has passed while the page was open. */
function useHasPassed(untilMs: number): boolean {
  const [passedMs, setPassedMs] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setPassedMs(untilMs), untilMs - serverNow());
    return () => clearTimeout(timer);
  }, [untilMs]);
  return passedMs >= untilMs;
}
