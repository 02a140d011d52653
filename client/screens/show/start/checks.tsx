import { Icon, type IconName } from "#client/ui/icon.tsx";
import * as texts from "../texts/start-texts.ts";
import type { Check } from "./checklist.ts";

const icons: Record<Check["tone"], IconName> = { ok: "tick", info: "info", look: "warning", stop: "cross" };
const lights: Record<Check["tone"], string> = { ok: "ok", info: "info", look: "slow", stop: "away" };
const spoken: Record<Check["tone"], string> = {
  ok: texts.ready,
  info: texts.goodToKnow,
  look: texts.lookAtThis,
  stop: texts.lookAtThis,
};

/** What a host looks at before a show, as a list. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="readings ready-list" aria-label={texts.beforeTheShow}>
      {checks.map(({ name, tone, text }) => (
        <li key={name}>
          <span className={`light ${lights[tone]}`}>
            <Icon name={icons[tone]} size="s" />
          </span>
          <span>
            <span className="vh">{`${spoken[tone]}: `}</span>
            <span>{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
