import { expect, test } from "bun:test";
import { createRandom, type Random } from "#src/base/random.ts";
import { dividePool, type Stake } from "#src/play/calls/compute-payouts.ts";
import { rankTeams, type TeamSums } from "#src/play/teams/find-teams.ts";

const EVENINGS = 3_000;
const QUESTIONS = 10;
/** The larger of the two chances divided by the smaller. */
const RATIO_MAX = 1.3;

/** The net of each player after an evening: each calls most questions on a side by chance, and is paid by the formula of the product. */
function playEvening(dice: Random, playersCount: number): number[] {
  const nets = Array.from({ length: playersCount }, () => 0);
  for (let question = 0; question < QUESTIONS; question += 1) {
    const calls = nets.flatMap((_net, player) => (dice.chance(0.8) ? [{ player, stake: stake(dice) }] : []));
    const payoutOf = dividePool(
      calls.map((call) => ({ ...call.stake, callsCount: 1 })),
      { result: "true" },
    );
    for (const { player, stake: own } of calls)
      nets[player] = (nets[player] ?? 0) + payoutOf(own).payoutCents - own.wagerCents;
  }
  return nets;
}

function stake(dice: Random): Stake {
  return { side: dice.chance(0.5) ? "true" : "false", wagerCents: dice.between(1, 10) * 100, counts: true };
}

/** How often each team is first. Teams that share the first rank share the evening. */
function firsts(sizes: readonly number[], seed: string, score = rankTeams): number[] {
  const dice = createRandom(seed);
  const names = sizes.map((size) => `Team of ${size}`);
  const wins = sizes.map(() => 0);
  const playersCount = sizes.reduce((sum, size) => sum + size, 0);
  for (let evening = 0; evening < EVENINGS; evening += 1) {
    const nets = playEvening(dice, playersCount);
    let next = 0;
    const sums = sizes.map((size, index): TeamSums => {
      const own = nets.slice(next, (next += size));
      const netCents = own.reduce((sum, net) => sum + net, 0);
      return { number: index + 1, membersCount: size, playersCount: size, netCents };
    });
    const first = score(names, sums).filter(({ rank }) => rank === 1);
    for (const { number } of first) wins[number - 1] = (wins[number - 1] ?? 0) + 1 / first.length;
  }
  return wins.map((count) => count / EVENINGS);
}

test.each([{ field: [2, 20] }, { field: [2, 20, 2, 20] }, { field: [2, 20, 5, 10] }])(
  "among teams of $field players, one of 2 and one of 20 are first about equally often",
  ({ field }) => {
    const [ofTwo = 0, ofTwenty = 0] = firsts(field, `teams of ${field.join(" ")}`);
    const ratio = Math.max(ofTwo, ofTwenty) / Math.min(ofTwo, ofTwenty);
    process.stdout.write(
      `teams of ${field.join(", ")}: 2 first in ${(100 * ofTwo).toFixed(1)} %, 20 in ${(100 * ofTwenty).toFixed(1)} %, ratio ${ratio.toFixed(2)}\n`,
    );
    expect(ratio).toBeLessThan(RATIO_MAX);
  },
);

test("a plain mean would not hold that: two lucky players would win", () => {
  const mean: typeof rankTeams = (names, sums) =>
    rankTeams(
      names,
      // So that the division by five more players gives the mean.
      sums.map((team) => ({
        ...team,
        netCents: (team.netCents / team.playersCount) * (team.playersCount + 5),
      })),
    );
  const [ofTwo = 0, ofTwenty = 0] = firsts([2, 20, 2, 20], "mean", mean);
  expect(ofTwo / ofTwenty).toBeGreaterThan(RATIO_MAX);
});
