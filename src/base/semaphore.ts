type Line = { free: number; waiting: (() => void)[] };

/**
 * For work that holds something scarce: so many are at it side by side, and the others wait for their turn.
 * @returns a function that runs the work in its turn, and takes, first, whose line it stands in.
 */
export function createSemaphore(
  sideBySideMax: number,
): <Result>(owner: object, work: () => Promise<Result>) => Promise<Result> {
  const lines = new WeakMap<object, Line>();
  return async (owner, work) => {
    const line = lines.get(owner) ?? { free: sideBySideMax, waiting: [] };
    lines.set(owner, line);
    if (line.free > 0) line.free -= 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next === undefined) line.free += 1;
      else next();
    }
  };
}
