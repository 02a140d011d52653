import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import type { Slot } from "#client/running-order/schedule.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { say } from "#src/http/contract.ts";
import {
  answerRemarks,
  findRemarks,
  type PaceChange,
  paceOfPlan,
  resultSeconds,
  type PaceRule,
  type PaceTerms,
  HOST_DECIDES_SECONDS,
} from "#src/show/events/pace/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { ActForm, ActSubmit } from "../running/act-form.tsx";
import type { ActiveElsewhere } from "../running/show-state.ts";

const NUMBERS_MAX = 6;

/** "2", "2, 5", "2, 5, 7, 8, 9, 11 and 4 more" */
const listNumbers = (numbers: readonly number[]) => {
  const shown = numbers.slice(0, NUMBERS_MAX).join(", ");
  return numbers.length > NUMBERS_MAX ? `${shown} and ${numbers.length - NUMBERS_MAX} more` : shown;
};

/** `stop`: it cannot start so. `look`: it can, and the host may not want it. */
export type Check = {
  name: string;
  tone: "ok" | "info" | "look" | "stop";
  text: string;
  /** The changes of events that answer it, by their ids. */
  changes?: ReadonlyMap<number, PaceChange>;
};

type BeforeShow = {
  session: SessionView;
  /** In the order of their positions. */
  events: readonly EventView[];
  planned: ReadonlyMap<number, Slot>;
  activeElsewhere: ActiveElsewhere | null;
};

/** What a host looks at before a show, in this order. */
export function listChecks(show: BeforeShow): Check[] {
  const events = show.events.filter(({ state }) => state === "draft" || state === "visible");
  if (events.length === 0)
    return [{ name: "actions", tone: "stop", text: "There is no action yet. Add one under New Action." }];
  return [
    { name: "actions", ...checkLength(events, show) },
    { name: "labels", ...checkLabels(events, show) },
    { name: "pace", ...checkPace(events, show) },
    { name: "delay", ...checkDelay(show) },
    ...checkActive(show),
    { name: "players", ...checkPlayers(show) },
  ];
}

type Found = Omit<Check, "name">;
const ok = (text: string): Found => ({ tone: "ok", text });
const info = (text: string): Found => ({ tone: "info", text });
const look = (text: string): Found => ({ tone: "look", text });

function checkLength(events: readonly EventView[], { planned }: BeforeShow): Found {
  const ends = events.map(({ id }) => planned.get(id)?.closesInMs ?? null);
  const isOpenEnded = ends.includes(null);
  const lastMs = Math.max(...ends.map((end) => end ?? 0));
  const actions = countOf(events.length, "action");
  return isOpenEnded
    ? ok(`${actions}. Some wait for you, so the end is open.`)
    : ok(`${actions}, ${minutes(lastMs)} from the start to the last close.`);
}

function checkLabels(events: readonly EventView[], show: BeforeShow): Found {
  const labels = (matches: (yes: string, no: string) => boolean) =>
    events.filter(({ trueLabel, falseLabel }) => matches(trueLabel.trim(), falseLabel.trim()));
  const same = labels((yes, no) => yes.toLowerCase() === no.toLowerCase());
  if (same.length > 0) return look(`Both answers have the same name in ${numbersOf(same, show)}.`);
  const plain = labels((yes, no) => yes === "True" && no === "False");
  return plain.length > 0
    ? info(`The answers are plain True and False in ${numbersOf(plain, show)}.`)
    : ok("Every action has answers of its own.");
}

function checkPace(events: readonly EventView[], show: BeforeShow): Found {
  const overlapping = events.filter((event, index) => {
    const before = slotOf(events[index - 1], show);
    const slot = slotOf(event, show);
    return before !== undefined && slot !== undefined && slot.opensInMs < before.closesInMs;
  });
  if (overlapping.length > 0)
    return look(`Opens while the one before is still open: ${numbersOf(overlapping, show)}.`);
  const remarks = paceRemarks(events, show);
  if (remarks.length === 0) return ok("There is time between the actions.");
  const rushed = (rules: readonly PaceRule[]) =>
    events.filter((_, index) =>
      remarks.some(({ rule, event }) => event === index + 1 && rules.includes(rule)),
    );
  const toldS = Math.max(...events.map(({ plan }) => resultSeconds({ explanation: plan?.explanation })));
  const waitS = HOST_DECIDES_SECONDS + Math.ceil(toldS);
  const sentences = rushedTexts.flatMap(({ rules, say }) => {
    const some = rushed(rules);
    return some.length === 0 ? [] : [say(numbersOf(some, show), waitS)];
  });
  const answers = answerRemarks(events.map(paceTermsOf), remarks);
  const changes = new Map([...answers].map(([index, change]) => [events[index]?.id ?? 0, change]));
  return { ...look(sentences.join(" ")), changes };
}

/** @param waitS the wait after which the host has decided and each result was read. */
type SayRushed = (numbers: string, waitS: number) => string;

const rushedTexts: readonly { rules: readonly PaceRule[]; say: SayRushed }[] = [
  {
    rules: ["no_pause_after_result", "opens_before_result"],
    say: (numbers, waitS) =>
      `No time to decide and to see the result before it opens: ${numbers}. Plan a wait of ${waitS} s, or one after the result.`,
  },
  {
    rules: ["little_time_to_read"],
    say: (numbers) => `Little time to read and to call: ${numbers}.`,
  },
  {
    rules: ["little_time_to_decide"],
    say: (numbers) => `Little time for you to give the result: ${numbers}.`,
  },
];

function paceTermsOf({ durationSeconds, plan }: EventView): PaceTerms {
  const { startMode = "after_previous", offsetSeconds = 0, resolveWithinSeconds = 0 } = plan ?? {};
  return { startMode, offsetSeconds, durationSeconds, resolveWithinSeconds };
}

/** What would feel rushed by the plan, as the dry run measures it. */
function paceRemarks(events: readonly EventView[], show: BeforeShow) {
  const { leadSeconds, settlementDelaySeconds } = show.session.settings;
  const terms = events.map((event) => ({
    ...event,
    ...paceTermsOf(event),
    explanation: event.plan?.explanation,
    autoResult: event.plan?.autoResult ?? null,
  }));
  const slot = (index: number) => slotOf(events[index], show);
  return findRemarks(paceOfPlan(terms, { leadSeconds, settlementDelaySeconds, slotOf: slot }));
}

function slotOf(event: EventView | undefined, { planned }: Pick<BeforeShow, "planned">): Slot | undefined {
  return event === undefined ? undefined : planned.get(event.id);
}

function checkDelay({ session: { settings } }: BeforeShow): Found {
  const { settlementDelaySeconds: seconds } = settings;
  return seconds === 0
    ? look("Results are paid at once. A wrong one has to be corrected in front of the players.")
    : ok(`Results are paid after ${seconds} s. Until then you can take one back.`);
}

function checkActive({ activeElsewhere: other }: BeforeShow): Check[] {
  if (other === null) return [];
  const sent = say`Players are sent to ${other.name} now`;
  const players = other.playersOnline === 0 ? "" : `, with ${countOf(other.playersOnline, "player")} in it`;
  const found =
    other.state === "pending" ? info(`${sent}, which has not started.`) : look(`${sent}${players}.`);
  return [{ name: "active", ...found }];
}

function checkPlayers({ session: { playersOnline, registrationsCount } }: BeforeShow): Found {
  if (playersOnline > 0)
    return ok(`${countOf(playersOnline, "player")} here, ${registrationsCount} joined before.`);
  return registrationsCount === 0
    ? info("Nobody is here yet. Give players the link.")
    : info(
        `Nobody is here yet. ${countOf(registrationsCount, "player")} joined, and will get a message when it starts.`,
      );
}

/** "2, 5 and 6 others": their numbers in the running order. */
function numbersOf(some: readonly EventView[], { events }: BeforeShow): string {
  return listNumbers(some.map((event) => events.indexOf(event) + 1));
}

const icons: Record<Check["tone"], IconName> = { ok: "tick", info: "info", look: "warning", stop: "cross" };
const lights: Record<Check["tone"], string> = { ok: "ok", info: "info", look: "slow", stop: "away" };
const spoken: Record<Check["tone"], string> = {
  ok: "ready",
  info: "good to know",
  look: "look at this",
  stop: "look at this",
};

export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="readings ready-list" aria-label={words.beforeTheShow}>
      {checks.map(({ name, tone, text, changes }) => (
        <li key={name}>
          <span className={`light ${lights[tone]}`}>
            <Icon name={icons[tone]} size="s" />
          </span>
          <span>
            <span className="vh">{`${spoken[tone]}: `}</span>
            <span>{text}</span>
            {changes === undefined || changes.size === 0 ? null : <FixAll changes={changes} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Changes the plan of the session so that nothing in it is rushed. */
function FixAll({ changes }: { changes: NonNullable<Check["changes"]> }) {
  const values = [...changes].flatMap(([id, change]) =>
    Object.entries(change).map(([field, value]) => `${id} ${field} ${value}`),
  );
  return (
    <ActForm className="block">
      {values.map((value) => (
        <input key={value} type="hidden" name="change" value={value} />
      ))}
      <ActSubmit intent="fixPace" className="btn sm">
        Fix all
      </ActSubmit>
    </ActForm>
  );
}
