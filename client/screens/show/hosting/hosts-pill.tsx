import { Pill } from "#client/ui/pill.tsx";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/arming-texts.ts";

/** Who else has the Admin tab of this session open; nothing if nobody has. */
export function HostsPill() {
  const { hosting } = useShow();
  const names = [...new Set(hosting.others.map(hosting.nameOf))];
  return (
    <span role="status">
      {names.length === 0 ? null : <Pill icon="person">{texts.alsoHere(names.join(texts.and))}</Pill>}
    </span>
  );
}
