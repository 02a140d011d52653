import * as words from "#client/base/format/words.ts";
import type { SettlementView } from "#src/play/calls/schemas.ts";
import { SideShape } from "../ui/icon.tsx";

type ResultWordProps = { result: SettlementView["result"]; labels: { true: string; false: string } };

/** An event's result: the shape and label of the winning side, or "Called off". */
export function ResultWord({ result, labels }: ResultWordProps) {
  if (result === "void") return <b>{words.calledOff}</b>;
  return (
    <span className="side-mark">
      <SideShape side={result} />
      <b>{labels[result]}</b>
    </span>
  );
}
