import { results } from "#db/lists/events.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { useViewer } from "../context.ts";
import { Icon } from "../ui/icon.tsx";
import { Act } from "./act-form.tsx";
import { KeyCap } from "./key-cap.tsx";
import { type Show, useShow } from "./show-context.ts";
import { resultText } from "./verdict.tsx";
import { whyNotMove } from "./why-not.ts";

/** For this long the server lets the operator who resolved an event correct it without a reason. */
const UNDO_WITHIN_MS = 10_000;

/** Offers to undo a result until it is paid, and to correct it for some seconds afterwards. */
export function UndoBar() {
  const show = useShow();
  const viewerId = useViewer()?.id;
  const pending = show.events.filter(({ pendingResult }) => pendingResult !== null);
  const paid = show.events.filter((event) => resolvedBy(show, event) === viewerId);
  return (
    <>
      {pending.map((event) => (
        <Pending key={event.id} event={event} />
      ))}
      {paid.map((event) => (
        <Paid key={event.id} event={event} />
      ))}
    </>
  );
}

/** The id of the user who resolved the event; undefined if nobody did, or if the audit on this page is too short. */
function resolvedBy({ audit }: Show, { id, state }: EventView): number | undefined {
  if (state !== "resolved") return undefined;
  return audit.find(({ action, subject }) => action === "resolve" && subject.id === id)?.actor?.id;
}

function Pending({ event }: { event: EventView }) {
  const { session } = useShow();
  const seconds = useSecondsUntil(event.paysAt);
  const when = seconds === null ? "It pays after the show resumes." : `It pays in ${seconds} s.`;
  return (
    <section className="undo" aria-label="Undo">
      <Icon name="clock" />
      <p>
        <b>Result: {resultText(event, resultOf(event.pendingResult))}.</b> <span className="num">{when}</span>
        <span className="small ink2"> {event.title}</span>
      </p>
      <Act
        intent="withdraw"
        event={event}
        why={whyNotMove(session, event, "withdraw")}
        className="btn you"
        hotkey="U"
      >
        <Icon name="undo" size="s" /> Undo <KeyCap name="U" />
      </Act>
    </section>
  );
}

function Paid({ event }: { event: EventView }) {
  const { session } = useShow();
  const until = event.resolvedAt === null ? null : Date.parse(event.resolvedAt) + UNDO_WITHIN_MS;
  const seconds = useSecondsUntil(until === null ? null : new Date(until).toISOString());
  if (seconds === null || seconds === 0) return null;
  const current = event.voided ? "void" : resultOf(event.result);
  const others = results.filter((result) => result !== current);
  return (
    <section className="undo" aria-label="Undo">
      <Icon name="slip" />
      <p>
        <b>Resolved: {resultText(event, current)}.</b>{" "}
        <span className="num">For {seconds} s more it changes without a reason.</span>
        <span className="small ink2"> {event.title}</span>
      </p>
      <span className="row wrap">
        {others.map((result) => (
          <Act
            key={result}
            intent="resolve"
            event={event}
            why={whyNotMove(session, event, "resolve")}
            className="btn you"
            fields={{ result }}
          >
            <Icon name="undo" size="s" /> {resultText(event, result)} instead
          </Act>
        ))}
      </span>
    </section>
  );
}

/** Whole seconds until a moment of the server's time, 0 afterwards; null if `at` is null. */
function useSecondsUntil(at: string | null): number | null {
  const { renderedAt } = useShow();
  return useServerTime(
    (nowMs) => (at === null ? null : Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1_000))),
    renderedAt,
  );
}

function resultOf(result: EventView["pendingResult"]): EventResult {
  if (result === "void" || result === null) return "void";
  return result ? "true" : "false";
}
