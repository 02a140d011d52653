import { cpuOf, residentBytes } from "../cpu.ts";

const SAMPLE_EVERY_MS = 2_000;
const US_PER_MS = 1_000;
const MB = 1_048_576;

/** The processes that are watched, by name: the first process of each, whose children count. */
export type Watched = ReadonlyMap<string, readonly number[]>;
/**
 * Of one name: its share of one core, the most memory that its processes had together, and how that of the last quarter of the time
 * compares with that of the second: above 1 where it grows.
 */
export type Usage = { name: string; cores: number; mostMegabytes: number; growth: number };

/** Measures CPU time and memory of processes. @returns a function that ends this. */
export function watchProcesses(watched: Watched): () => Usage[] {
  const startedAtMs = performance.now();
  const all = [...watched].map(([name, pids]) => ({
    name,
    pids,
    cpuUs: cpuOf(pids),
    samples: new Array<number>(),
  }));
  const timer = setInterval(() => {
    for (const { pids, samples } of all) samples.push(pids.reduce((sum, pid) => sum + residentBytes(pid), 0));
  }, SAMPLE_EVERY_MS);
  return () => {
    clearInterval(timer);
    const wallUs = (performance.now() - startedAtMs) * US_PER_MS;
    return all.map(({ name, pids, cpuUs, samples }) => {
      const quarter = (number: number) => {
        const from = (part: number) => Math.floor((samples.length * part) / 4);
        return Math.max(0, ...samples.slice(from(number - 1), from(number)));
      };
      return {
        name,
        cores: (cpuOf(pids) - cpuUs) / wallUs,
        mostMegabytes: Math.max(0, ...samples) / MB,
        growth: quarter(4) / quarter(2),
      };
    });
  };
}
