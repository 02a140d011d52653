import { useMemo, useState } from "react";
import { useLateParts } from "#client/base/deferred/use-late-parts.ts";
import type { PlanTexts } from "#src/show/blueprints/plan-text/columns.ts";
import type { LeftOut, PlanLine, PlanReading } from "#src/show/blueprints/plan-text/plan-reading.ts";
import type { PlanParts } from "./plan-parts.ts";

/** One action of the preview, as it would be added. */
export type PreviewLine = Pick<PlanLine, "line" | "texts"> & { problems: string[]; isOut: boolean };

export type PlanPreview = {
  lines: PreviewLine[];
  leftOut: LeftOut[];
  fault: string | null;
  /** The lines that will be added, as a text for the reader; empty while nothing was corrected or left out. */
  rows: string;
  correct: (index: number, texts: PlanTexts) => void;
  /** Leaves these lines out, or puts them back. */
  leave: (indexes: readonly number[], isOut: boolean) => void;
};

type Corrections = { of: PlanReading | null; texts: Map<number, PlanTexts>; out: Set<number> };

const load = async () => (await import("./plan-parts.ts")).planParts;
const NOTHING: PlanReading = { lines: [], leftOut: [], fault: null, blueprint: null };

/** The reader; null until its code has arrived. */
export function usePlanParts(enabled: boolean): PlanParts | null {
  return useLateParts(enabled ? load : null);
}

/**
 * What a text would add, with what was corrected in it and left out. Another text begins anew.
 * @param readByServer what the server has read of this text, where the page cannot read it itself.
 */
export function usePlanPreview(
  text: string,
  { parts, readByServer }: { parts: PlanParts | null; readByServer: PlanReading | null },
): PlanPreview {
  const reading = useMemo(
    () => (parts === null ? (readByServer ?? NOTHING) : parts.readPlanText(text)),
    [parts, readByServer, text],
  );
  const [kept, setCorrections] = useState<Corrections>({ of: null, texts: new Map(), out: new Set() });
  const corrections = useMemo(
    () => (kept.of === reading ? kept : { of: reading, texts: new Map(), out: new Set<number>() }),
    [kept, reading],
  );
  const lines = useMemo(
    () => reading.lines.map((line, index) => previewOf(line, index, { corrections, parts })),
    [reading, corrections, parts],
  );
  const changed = corrections.texts.size > 0 || corrections.out.size > 0;
  const added = lines.filter(({ isOut }) => !isOut).map(({ texts }) => texts);
  return {
    lines,
    leftOut: reading.leftOut,
    fault: reading.fault,
    rows: changed ? JSON.stringify(added) : "",
    correct: (index, texts) =>
      setCorrections({ ...corrections, texts: new Map(corrections.texts).set(index, texts) }),
    leave: (indexes, isOut) => {
      const out = new Set(corrections.out);
      for (const index of indexes)
        if (isOut) out.add(index);
        else out.delete(index);
      setCorrections({ ...corrections, out });
    },
  };
}

function previewOf(
  line: PlanLine,
  index: number,
  { corrections, parts }: { corrections: Corrections; parts: PlanParts | null },
): PreviewLine {
  const texts = corrections.texts.get(index);
  // What could not be understood is understood once its texts were corrected.
  const shown = texts === undefined ? line : { texts, faults: [] };
  const problems = parts === null ? line.faults : parts.problemsIn(shown);
  return { line: line.line, texts: shown.texts, problems, isOut: corrections.out.has(index) };
}
