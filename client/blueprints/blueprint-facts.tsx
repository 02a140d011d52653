import type { BlueprintView } from "#src/blueprints/schemas.ts";
import { formatCount } from "../ui/count.ts";
import { formatLength, plannedSeconds } from "./plan-times.ts";

/** What its sessions start with, and how long they take. */
export function BlueprintFacts({ blueprint }: { blueprint: BlueprintView }) {
  const { blueprintEvents, defaults } = blueprint;
  const facts = {
    Actions: formatCount(blueprintEvents.length),
    "Planned length": formatLength(plannedSeconds(blueprintEvents)),
    Lead: `${defaults.leadSeconds} s`,
    "Settlement delay":
      defaults.settlementDelaySeconds === 0 ? "None" : `${defaults.settlementDelaySeconds} s`,
    "Host may call": defaults.smallRoom ? "Yes" : "No",
  };
  return (
    <section className="panel pad" aria-label="Plan and settings">
      <dl className="plan-facts">
        {Object.entries(facts).map(([name, value]) => (
          <div className="kv" key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
