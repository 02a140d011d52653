import { useMemo, useState } from "react";
import type { PlanTexts } from "#src/show/blueprints/plan-text/columns.ts";
import {
  type LeftOut,
  type PlanLine,
  type PlanReading,
  problemsIn,
} from "#src/show/blueprints/plan-text/plan-reading.ts";
import { readPlanText } from "#src/show/blueprints/plan-text/read-plan-text.ts";

/** One action of the preview, as it would be added. */
export type PreviewLine = Pick<PlanLine, "line" | "texts"> & { problems: string[]; isOut: boolean };

export type PlanPreview = {
  lines: PreviewLine[];
  leftOut: LeftOut[];
  fault: string | null;
  /** The blueprint around the lines, where it was exported. */
  brought: PlanReading["blueprint"];
  /** The lines that will be added, as a text for the reader; empty while nothing was corrected or left out. */
  rows: string;
  correct: (index: number, texts: PlanTexts) => void;
  /** Leaves these lines out, or puts them back. */
  leave: (indexes: readonly number[], isOut: boolean) => void;
};

type Corrections = { of: PlanReading | null; texts: Map<number, PlanTexts>; out: Set<number> };

/** What a text would add, with what was corrected in it and left out. Another text starts without them. */
export function usePlanPreview(text: string): PlanPreview {
  const reading = useMemo(() => readPlanText(text), [text]);
  const [kept, setCorrections] = useState<Corrections>({ of: null, texts: new Map(), out: new Set() });
  const corrections = useMemo(
    () => (kept.of === reading ? kept : { of: reading, texts: new Map(), out: new Set<number>() }),
    [kept, reading],
  );
  const lines = useMemo(
    () => reading.lines.map((line, index) => previewOf(line, index, corrections)),
    [reading, corrections],
  );
  const changed = corrections.texts.size > 0 || corrections.out.size > 0;
  const added = lines.filter(({ isOut }) => !isOut).map(({ texts }) => texts);
  return {
    lines,
    leftOut: reading.leftOut,
    fault: reading.fault,
    brought: reading.blueprint,
    rows: changed ? rowsOf(added, reading.blueprint) : "",
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

/** A text for the reader, with what an exported blueprint has around its actions. */
function rowsOf(added: readonly PlanTexts[], brought: PlanReading["blueprint"]): string {
  return JSON.stringify(brought === null ? added : { ...brought, blueprintEvents: added });
}

function previewOf(line: PlanLine, index: number, corrections: Corrections): PreviewLine {
  const texts = corrections.texts.get(index);
  // What could not be understood is understood once its texts were corrected.
  const shown = texts === undefined ? line : { texts, faults: [] };
  return {
    line: line.line,
    texts: shown.texts,
    problems: problemsIn(shown),
    isOut: corrections.out.has(index),
  };
}
