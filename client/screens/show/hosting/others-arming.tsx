import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { HostView } from "#src/show/hosting/schemas.ts";
import { resultText } from "../arming/armed-text.ts";
import { useShow } from "../show-context.ts";
import { numberOf } from "../stage/on-stage.ts";

/** What other hosts are about to do to some events: "Ana is about to call 4 Yes." */
export function OthersArming({ about }: { about: readonly EventView[] }) {
  const { events, hosting } = useShow();
  const lines = hosting.others.flatMap((host) => {
    const event = about.find(({ id }) => id === host.arming?.eventId);
    return event === undefined ? [] : [{ host, event }];
  });
  return (
    <div role="status">
      {lines.map(({ host, event }) => (
        <p className="others-arming small" key={host.tab}>
          {armingText(host, event, numberOf(events, event), hosting.nameOf(host))}
        </p>
      ))}
    </div>
  );
}

function armingText({ arming }: HostView, event: EventView, number: number, name: string): string {
  if (arming === null) return "";
  if (arming.act === "skip") return say`${name} is about to skip ${number}.`;
  if (arming.act === "void") return say`${name} is about to void ${number}.`;
  return say`${name} is about to call ${number} ${resultText(event, arming.act)}.`;
}
