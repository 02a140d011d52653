import type { SettlementView } from "#src/calls/schemas.ts";
import { SideShape } from "../ui/icon.tsx";

type ResultWordProps = { result: SettlementView["result"]; labels: { true: string; false: string } };

/** How an event was decided: the shape and the label of the side that won, or "Void". */
export function ResultWord({ result, labels }: ResultWordProps) {
  if (result === "void") return <b>Void</b>;
  return (
    <span className="side-mark">
      <SideShape side={result} />
      <b>{labels[result]}</b>
    </span>
  );
}
