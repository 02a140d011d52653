import { cpuOf, residentBytes } from "../cpu.ts";
import type { Phase } from "./contract.ts";

const SAMPLE_EVERY_MS = 2_000;
const US_PER_MS = 1_000;
const MB = 1_048_576;

/** The processes that are watched, by name: the first process of each, whose children count. */
export type Watched = ReadonlyMap<string, readonly number[]>;
/**
 * Of one name: its share of one core in each phase, the most memory that its processes had together, and how that of the last quarter of
 * the time compares with that of the second: above 1 where it grows.
 */
export type Usage = { name: string; cores: Map<Phase, number>; mostMegabytes: number; growth: number };

/** Measures CPU time and memory by process and phase. */
export class ProcessWatch {
  readonly #watched: Watched;
  readonly #cpuUs = new Map<string, Map<Phase, number>>();
  readonly #wallMs = new Map<Phase, number>();
  readonly #samples = new Map<string, number[]>();
  readonly #timer: Timer;
  #phase: Phase = "join";
  #sinceMs = performance.now();
  #before: Map<string, number>;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#before = this.#readCpu();
    this.#timer = setInterval(() => this.#sampleMemory(), SAMPLE_EVERY_MS);
  }

  /** What follows is of another phase. */
  begin(phase: Phase): void {
    this.#count();
    this.#phase = phase;
  }

  end(): Usage[] {
    this.#count();
    clearInterval(this.#timer);
    return [...this.#watched.keys()].map((name) => ({
      name,
      cores: new Map(
        [...(this.#cpuUs.get(name) ?? [])].map(([phase, us]) => [
          phase,
          us / US_PER_MS / (this.#wallMs.get(phase) ?? Number.NaN),
        ]),
      ),
      ...this.#memoryOf(name),
    }));
  }

  #count(): void {
    const now = performance.now();
    const after = this.#readCpu();
    this.#wallMs.set(this.#phase, (this.#wallMs.get(this.#phase) ?? 0) + now - this.#sinceMs);
    for (const [name, us] of after) {
      const phases = this.#cpuUs.get(name) ?? new Map<Phase, number>();
      phases.set(this.#phase, (phases.get(this.#phase) ?? 0) + us - (this.#before.get(name) ?? 0));
      this.#cpuUs.set(name, phases);
    }
    this.#before = after;
    this.#sinceMs = now;
  }

  #readCpu(): Map<string, number> {
    return new Map([...this.#watched].map(([name, pids]) => [name, cpuOf(pids)]));
  }

  #memoryOf(name: string): Pick<Usage, "mostMegabytes" | "growth"> {
    const samples = this.#samples.get(name) ?? [];
    const quarter = (number: number) => {
      const from = (part: number) => Math.floor((samples.length * part) / 4);
      return Math.max(0, ...samples.slice(from(number - 1), from(number)));
    };
    return { mostMegabytes: Math.max(0, ...samples) / MB, growth: quarter(4) / quarter(2) };
  }

  #sampleMemory(): void {
    for (const [name, pids] of this.#watched) {
      const bytes = pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
      this.#samples.set(name, [...(this.#samples.get(name) ?? []), bytes]);
    }
  }
}
