import { minutes } from "#client/base/format/countdown.ts";
import type { Slot } from "#client/running-order/schedule.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import * as texts from "../texts/start-texts.ts";

/** The session to which players are sent now, if it is another one. */
export type ActiveElsewhere = Pick<SessionView, "name" | "slug" | "state" | "playersOnline">;

/** `stop`: it cannot start so. `look`: it can, and the host may not want it. */
export type Check = { name: string; tone: "ok" | "info" | "look" | "stop"; text: string };

type BeforeShow = {
  session: SessionView;
  /** In the order of their positions. */
  events: readonly EventView[];
  planned: ReadonlyMap<number, Slot>;
  activeElsewhere: ActiveElsewhere | null;
};

/** With less time after the close nobody sees the result before the next question. */
const SEEN_AFTER_MS = 3_000;

/** What a host looks at before a show, in this order. */
export function listChecks(show: BeforeShow): Check[] {
  const events = show.events.filter(({ state }) => state === "draft" || state === "visible");
  if (events.length === 0) return [{ name: "actions", tone: "stop", text: texts.noActions }];
  return [
    checkLength(events, show),
    checkLabels(events, show),
    checkPace(events, show),
    checkDelay(show),
    ...checkActive(show),
    checkPlayers(show),
  ];
}

function checkLength(events: readonly EventView[], { planned }: BeforeShow): Check {
  const ends = events.map(({ id }) => planned.get(id)?.closesInMs ?? null);
  const isOpenEnded = ends.includes(null);
  const lastMs = Math.max(...ends.map((end) => end ?? 0));
  const text = isOpenEnded
    ? texts.actionsOpenEnd(events.length)
    : texts.actionsAndLength(events.length, minutes(lastMs));
  return { name: "actions", tone: "ok", text };
}

function checkLabels(events: readonly EventView[], show: BeforeShow): Check {
  const labels = (matches: (yes: string, no: string) => boolean) =>
    events.filter(({ trueLabel, falseLabel }) => matches(trueLabel.trim(), falseLabel.trim()));
  const same = labels((yes, no) => yes.toLowerCase() === no.toLowerCase());
  if (same.length > 0) return { name: "labels", tone: "look", text: texts.sameLabels(numbersOf(same, show)) };
  const plain = labels((yes, no) => yes === "True" && no === "False");
  if (plain.length > 0) {
    return { name: "labels", tone: "info", text: texts.plainLabels(numbersOf(plain, show)) };
  }
  return { name: "labels", tone: "ok", text: texts.ownLabels };
}

function checkPace(events: readonly EventView[], show: BeforeShow): Check {
  const gaps = events.slice(1).map((event, index) => {
    const opensMs = show.planned.get(event.id)?.opensInMs;
    const before = events[index];
    const closesMs = before === undefined ? undefined : show.planned.get(before.id)?.closesInMs;
    return { event, gapMs: opensMs === undefined || closesMs === undefined ? null : opensMs - closesMs };
  });
  const within = (from: number, to: number) =>
    gaps.filter(({ gapMs }) => gapMs !== null && gapMs >= from && gapMs < to).map(({ event }) => event);
  const overlapping = within(-Infinity, 0);
  if (overlapping.length > 0) {
    return { name: "pace", tone: "look", text: texts.overlaps(numbersOf(overlapping, show)) };
  }
  const rushed = within(0, SEEN_AFTER_MS);
  if (rushed.length > 0) return { name: "pace", tone: "look", text: texts.noPause(numbersOf(rushed, show)) };
  return { name: "pace", tone: "ok", text: texts.calmPace };
}

function checkDelay({ session: { settings } }: BeforeShow): Check {
  const { settlementDelaySeconds: seconds } = settings;
  return seconds === 0
    ? { name: "delay", tone: "look", text: texts.paidAtOnce }
    : { name: "delay", tone: "ok", text: texts.paidLater(seconds) };
}

function checkActive({ activeElsewhere: other }: BeforeShow): Check[] {
  if (other === null) return [];
  return other.state === "pending"
    ? [{ name: "active", tone: "info", text: texts.othersPlanned(other.name) }]
    : [{ name: "active", tone: "look", text: texts.othersLive(other.name, other.playersOnline) }];
}

function checkPlayers({ session: { playersOnline, registrationsCount } }: BeforeShow): Check {
  return playersOnline === 0
    ? { name: "players", tone: "info", text: texts.nobodyHere(registrationsCount) }
    : { name: "players", tone: "ok", text: texts.whoIsHere(playersOnline, registrationsCount) };
}

/** "2, 5 and 6 others": their numbers in the running order. */
function numbersOf(some: readonly EventView[], { events }: BeforeShow): string {
  return texts.listNumbers(some.map((event) => events.indexOf(event) + 1));
}
