import type { PlanTexts } from "./columns.ts";
import { judgeTexts } from "./judge-texts.ts";

export type PlanLine = {
  /** The line of the text on which it begins, from 1 on. */
  line: number;
  texts: PlanTexts;
  /** What could not be understood, besides the values: whole sentences. */
  faults: string[];
};

/** A line that is no action, and why. */
export type LeftOut = { line: number; text: string; why: string };

export type PlanReading = {
  lines: PlanLine[];
  leftOut: LeftOut[];
  /** Why nothing can be read; null if something was. */
  fault: string | null;
  /** The blueprint itself, where the text is one of ours. */
  blueprint: { name: string; description: string; defaults: Record<string, unknown> } | null;
};

/** Why an action cannot be added as it was read: whole sentences, none if it can. */
export function problemsIn({ texts, faults }: Pick<PlanLine, "texts" | "faults">): string[] {
  return [...faults, ...judgeTexts(texts).problems];
}

export function unreadable(fault: string): PlanReading {
  return { lines: [], leftOut: [], fault, blueprint: null };
}
