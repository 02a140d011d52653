import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { MESSAGE_LENGTH_MAX } from "#db/lists/limits.ts";
import { charactersOf } from "#src/http/contract.ts";
import { MESSAGE_EVERY_SECONDS } from "#src/play/chat/contract.ts";
import type { MuteView } from "#src/play/chat/schemas.ts";
import { useServerTime } from "../base/live/clock.ts";
import { useSync } from "../base/live/connection.ts";
import { useClosed } from "../base/page/context.ts";
import { charactersAtMost } from "../ui/characters-at-most.ts";
import { CsrfField } from "../ui/csrf-field.tsx";
import { fill } from "../ui/fill.tsx";
import { Note } from "../ui/note.tsx";
import { Moment } from "../ui/time.tsx";
import { type ChatState, lastSentMs } from "./chat-state.ts";

/** The characters left are shown from this number down. */
const COUNTED_FROM = 100;

type ComposerProps = BodyProps & {
  state: ChatState;
  /** 0 for admins: slow mode does not apply to them. */
  slowModeSeconds: number;
  /** The server takes no message before this time, in milliseconds since 1970 by its clock. */
  refusedUntilMs: number;
  formKey: string;
  send: (body: string) => void;
};
type BodyProps = {
  body: string;
  onBody: (body: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
};

/** The field for a new message. Enter sends it. While the player has to wait, the text stays. An ordinary form without JavaScript. */
export function Composer(props: ComposerProps) {
  const { state, slowModeSeconds, refusedUntilMs, body, onBody, field } = props;
  const hint = useId();
  const everySeconds = Math.max(MESSAGE_EVERY_SECONDS, slowModeSeconds);
  const lastMs = lastSentMs(state);
  const nextMs = lastMs === null ? 0 : lastMs + everySeconds * 1_000;
  const freeMs = Math.max(refusedUntilMs, nextMs);
  // The server renders no wait: without JavaScript it would not end.
  const leftS = useServerTime(
    (nowMs) => Math.max(0, Math.ceil((freeMs - nowMs) / 1_000)),
    new Date(freeMs).toISOString(),
  );
  const waitS = Math.min(everySeconds, leftS);
  const mutedMs = Date.parse(state.muted?.until ?? "");
  const isMuted = useServerTime((nowMs) => nowMs < mutedMs, new Date(0).toISOString());
  const closed = useClosed("chat");
  if (closed !== undefined) return <NoComposer>{closed}</NoComposer>;
  if (state.muted !== null && isMuted) return <Muted mute={state.muted} />;
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
        <MessageField body={body} onBody={onBody} field={field} hint={hint} />
        <button className="btn primary" type="submit" aria-disabled={waitS > 0}>
          {waitS > 0 ? `${waitS} s` : "Send"}
        </button>
      </div>
      <Hint
        id={hint}
        slowModeSeconds={slowModeSeconds}
        left={MESSAGE_LENGTH_MAX - charactersOf(body).length}
      />
    </form>
  );
}

/** @param hint the id of the text that describes the field. */
function MessageField({ body, onBody, field, hint }: BodyProps & { hint: string }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    field.current?.form?.requestSubmit();
  };
  return (
    <textarea
      className="input"
      ref={field}
      name="body"
      rows={1}
      required
      {...charactersAtMost(MESSAGE_LENGTH_MAX)}
      aria-label="Message"
      aria-describedby={hint}
      placeholder="Say something"
      enterKeyHint="send"
      autoComplete="off"
      value={body}
      onChange={({ currentTarget }) => onBody(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function Hint({ id, slowModeSeconds, left }: { id: string; slowModeSeconds: number; left: number }) {
  const sync = useSync();
  const offline = sync === "offline" || sync === "refused";
  const slow = slowModeSeconds > 0 ? `Slow mode: one message every ${slowModeSeconds} seconds.` : "";
  return (
    <p className="tiny muted chat-hint" id={id}>
      <span>{offline ? "You are offline. What you send now may not arrive." : slow}</span>
      {left > COUNTED_FROM ? null : <span className="num push">{`${left} left`}</span>}
    </p>
  );
}

function Muted({ mute }: { mute: MuteView }) {
  return (
    <NoComposer>
      {fill("You cannot write here until {until}: {reason}", {
        until: <Moment at={mute.until} />,
        reason: mute.reason,
      })}
    </NoComposer>
  );
}

function NoComposer({ children }: { children: ReactNode }) {
  return (
    <div className="chat-composer">
      <Note>{children}</Note>
    </div>
  );
}
