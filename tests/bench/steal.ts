import { readFileSync } from "node:fs";

/** CPU time of all cores since the start of the machine, and the part that its host took away. In ticks. */
type Ticks = { all: number; stolen: number };

const STOLEN_FIELD = 7;
/** The rest is time of guests, which is counted as user time already. */
const FIELDS = 8;

/**
 * Runs the work. A machine whose host takes CPU time away measures nothing.
 * @returns the share of the CPU time that was taken away meanwhile, from 0 to 1; 0 where the system does not say.
 */
export async function withSteal<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; stealShare: number }> {
  const before = readTicks();
  const result = await work();
  const after = readTicks();
  const all = after.all - before.all;
  return { result, stealShare: all === 0 ? 0 : (after.stolen - before.stolen) / all };
}

/** From /proc/stat, whose first line has the fields of proc(5): user nice system idle iowait irq softirq steal. */
function readTicks(): Ticks {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
    const ticks = line
      .split(/\s+/)
      .slice(1, FIELDS + 1)
      .map(Number);
    return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[STOLEN_FIELD] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}
