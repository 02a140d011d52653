import type { Actor } from "#src/base/audit.ts";
import { Refusal } from "#src/base/refusal.ts";
import { destroyEvent, hideEvent, showHiddenEvent } from "#src/show/events/change-event-state.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { openEvent, publishEvent } from "#src/show/events/open-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { buildCall, buildDraft, readEvent } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { hosts, type Marker, newText, nobody } from "./markers.ts";

/** What can be done to an event. `call`: both players call. */
export const acts = [
  "rename",
  "publish",
  "open",
  "call",
  "close",
  "resolve",
  "hide",
  "show",
  "skip",
  "reset",
  "destroy",
] as const;
export type Act = (typeof acts)[number];

type Texts = Record<
  "title" | "description" | "trueLabel" | "falseLabel" | "explanation" | "hostNote",
  string
>;
/** What an event has said for some time. */
type Said = { texts: Texts; wasPublic: boolean; wasResolved: boolean; wasDestroyed: boolean };
/** An event with every text that it has ever had. */
export type PlayedEvent = { id: number; history: Said[] };

const newTexts = (): Texts => ({
  title: newText(),
  description: newText(),
  trueLabel: newText(),
  falseLabel: newText(),
  explanation: newText(),
  hostNote: newText(),
});
const said = (texts: Texts): Said => ({ texts, wasPublic: false, wasResolved: false, wasDestroyed: false });

type Stage = { deps: TestDeps; sessionId: number; actor: Actor; callers: readonly number[] };

/** Plays an event: makes a draft and does these things to it, one after the other. What is refused is left out. */
export async function playEvent(stage: Stage, plan: readonly Act[]): Promise<PlayedEvent> {
  const { deps, sessionId } = stage;
  const texts = newTexts();
  const { id } = await buildDraft(deps, { sessionId, durationSeconds: 600, autoResult: "random", ...texts });
  const event: PlayedEvent = { id, history: [said(texts)] };
  for (const act of plan) {
    try {
      await perform(stage, event, act);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await noteState(deps, event);
  }
  return event;
}

async function perform({ deps, actor, callers }: Stage, event: PlayedEvent, act: Act): Promise<void> {
  const order = { eventId: event.id, actor, reason: "As it is" };
  const verbs: Record<Exclude<Act, "rename" | "call">, () => Promise<unknown>> = {
    publish: () => publishEvent(deps, order),
    open: () => openEvent(deps, order),
    close: () => closeEvent(deps, order),
    resolve: () => resolveAndPay(deps, { ...order, result: "true" }),
    hide: () => hideEvent(deps, order),
    show: () => showHiddenEvent(deps, order),
    skip: () => skipEvent(deps, order),
    reset: () => resetEvent(deps, order),
    destroy: () => destroyEvent(deps, order),
  };
  if (act === "rename") return rename(deps, event, actor);
  if (act !== "call") return void (await verbs[act]());
  if ((await readEvent(deps, event.id)).state !== "open") return;
  for (const [index, userId] of callers.entries())
    await buildCall(deps, { userId, eventId: event.id, side: index % 2 === 0 ? "true" : "false" });
}

async function rename(deps: TestDeps, event: PlayedEvent, actor: Actor): Promise<void> {
  const texts = newTexts();
  const { version } = await readEvent(deps, event.id);
  await updateEvent(deps, { eventId: event.id, actor, changes: { ...texts, version } });
  event.history.push(said(texts));
}

const publicStates: readonly string[] = ["visible", "open", "closed", "resolved"];

/** What everybody may have read since the last act. */
export async function noteState(deps: TestDeps, { id, history }: PlayedEvent): Promise<void> {
  const { state } = await readEvent(deps, id);
  const now = history.at(-1);
  if (now === undefined) return;
  now.wasPublic ||= publicStates.includes(state);
  now.wasResolved ||= state === "resolved";
  now.wasDestroyed ||= state === "soft_destroyed";
}

/** The texts that were never public, with who may read them: an explanation is from the result on, and a host's note never. */
export function secretsOf({ history }: PlayedEvent): Marker[] {
  return history.flatMap(({ texts, wasPublic, wasResolved, wasDestroyed }) =>
    Object.entries(texts)
      .filter(([what]) => what === "hostNote" || !(what === "explanation" ? wasResolved : wasPublic))
      .map(([what, text]) => ({
        text,
        what: `${what} of a question that did not show it${wasDestroyed ? ", and destroyed" : ""}`,
        readers: [...hosts, ...nobody],
      })),
  );
}
