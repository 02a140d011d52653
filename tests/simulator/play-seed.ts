import { createDice } from "#jobs/demo/dice.ts";
import { payInParts, usualParts } from "#tests/support/database.ts";
import { checkWorld } from "./check-world.ts";
import { payAllParts, payPart } from "./pay-parts.ts";
import { planWorld } from "./plan-world.ts";
import { pressOnEvent, resolveAndUndo } from "./press-on-event.ts";
import { addEvent, pressOnSession, reorder, startShow } from "./press-on-session.ts";
import { cancel, place, placeAgain } from "./robots.ts";
import type { Stage } from "./stage.ts";
import { runUntil, tick } from "./timeline.ts";
import { buildWorld, note, pick, readStands, type World } from "./world.ts";

const MOVES_MIN = 12;
const MOVES_MAX = 22;
const TOLD_MOVES = 30;
const DAY_MS = 86_400_000;

type Move = (world: World) => Promise<void>;

/** Each as often, beside the others, as it stands here. */
const moves: readonly Move[] = [
  ...repeat(place, 9),
  placeAgain,
  ...repeat(cancel, 2),
  ...repeat(wait, 4),
  ...repeat(goToAnEdge, 4),
  ...repeat(pressOnEvent, 6),
  resolveAndUndo,
  ...repeat(pressOnSession, 2),
  addEvent,
  reorder,
  loseRedis,
];

/**
 * Plays a whole show by a seed, through the verbs and the database, and then checks it.
 * @returns what has happened, line by line.
 * @throws Error that tells the seed, the last moves and what was wrong.
 */
export async function playSeed(stage: Stage, seed: number): Promise<readonly string[]> {
  const dice = createDice(`world ${seed}`);
  const world = await buildWorld(stage, dice, planWorld(dice));
  try {
    await play(world);
    await checkWorld(world);
  } catch (error) {
    throw new Error(tell(seed, world), { cause: error });
  }
  if (world.paysInParts) await payInParts(stage.deps.pool, usualParts);
  await stage.clear();
  return world.trail;
}

async function play(world: World): Promise<void> {
  const { dice } = world;
  if (dice.chance(0.9)) await startShow(world);
  const count = dice.between(MOVES_MIN, MOVES_MAX);
  for (let made = 0; made < count; made += 1) {
    await pick(dice, moves)(world);
    await tick(world);
    await payPart(world);
    if (world.queue.away && dice.chance(0.2)) findRedis(world);
  }
  await end(world);
}

/** The show runs on for a while without anybody; sometimes for so long that everything is over. */
async function end(world: World): Promise<void> {
  world.queue.away = false;
  const ranMs = world.dice.chance(0.3) ? DAY_MS + 60_000 : world.dice.between(0, 30_000);
  await runUntil(world, world.clock.nowMs() + ranMs);
  await payAllParts(world);
  note(world, "the end");
}

async function wait(world: World): Promise<void> {
  const { dice, clock } = world;
  const waitMs = dice.chance(0.5) ? dice.between(1, 2_000) : dice.between(2_000, 25_000);
  await runUntil(world, clock.nowMs() + waitMs);
}

/** To the moments around a close, an opening or whatever is due, where one millisecond decides. */
async function goToAnEdge(world: World): Promise<void> {
  const { dice, clock } = world;
  const moments = (await readStands(world)).flatMap(({ event }) =>
    [event.closesAt, event.dueAt].flatMap((moment) => (moment === null ? [] : [moment.getTime()])),
  );
  const ahead = moments.filter((moment) => moment > clock.nowMs());
  if (ahead.length === 0) return;
  const offByMs = pick(dice, [-5_001, -5_000, -4_999, -1, 0, 0, 1, 900, 1_500]);
  await runUntil(world, Math.max(clock.nowMs(), pick(dice, ahead) + offByMs));
}

async function loseRedis(world: World): Promise<void> {
  world.queue.away = true;
  note(world, "Redis goes away");
}

function findRedis(world: World): void {
  world.queue.away = false;
  note(world, "Redis is back");
}

function repeat(move: Move, times: number): Move[] {
  return Array.from({ length: times }, () => move);
}

function tell(seed: number, { trail }: World): string {
  const left = Math.max(0, trail.length - TOLD_MOVES);
  return [
    `Seed ${seed} fails. Alone: SEED=${seed} bun test tests/simulator`,
    ...(left > 0 ? [`(${left} moves before)`] : []),
    ...trail.slice(-TOLD_MOVES),
  ].join("\n");
}
