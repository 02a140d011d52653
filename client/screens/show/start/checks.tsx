import * as words from "#client/base/format/words.ts";
import { Icon, type IconName } from "#client/ui/icon.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { ActForm } from "../act-form.tsx";
import { useShow } from "../show-context.ts";
import { keyOf } from "../use-acting.ts";
import type { Check } from "./checklist.ts";

const icons: Record<Check["tone"], IconName> = { ok: "tick", info: "info", look: "warning", stop: "cross" };
const lights: Record<Check["tone"], string> = { ok: "ok", info: "info", look: "slow", stop: "away" };
const spoken: Record<Check["tone"], string> = {
  ok: "ready",
  info: "good to know",
  look: words.lookAtThis,
  stop: words.lookAtThis,
};

/** What a host looks at before a show, as a list. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="readings ready-list" aria-label={words.beforeTheShow}>
      {checks.map(({ name, tone, text, changes }) => (
        <li key={name}>
          <span className={`light ${lights[tone]}`}>
            <Icon name={icons[tone]} size="s" />
          </span>
          <span>
            <span className="vh">{`${spoken[tone]}: `}</span>
            <span>{text}</span>
            {changes === undefined || changes.size === 0 ? null : <FixAll changes={changes} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Changes the plan of the session so that nothing in it is rushed. */
function FixAll({ changes }: { changes: NonNullable<Check["changes"]> }) {
  const { acting } = useShow();
  const values = [...changes].flatMap(([id, change]) =>
    Object.entries(change).map(([field, value]) => `${id} ${field} ${value}`),
  );
  return (
    <ActForm className="block">
      {values.map((value) => (
        <input key={value} type="hidden" name="change" value={value} />
      ))}
      <Submit intent="fixPace" className="btn sm" busy={acting.busy.has(keyOf("fixPace", ""))}>
        Fix all
      </Submit>
    </ActForm>
  );
}
