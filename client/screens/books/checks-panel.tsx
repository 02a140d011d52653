import { formatCount } from "#client/base/format/count.ts";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import type { FindingView } from "#src/books/schemas.ts";
import * as texts from "./books-texts.ts";

/** All checks of the books with their results. */
export function ChecksPanel({ findings }: { findings: readonly FindingView[] }) {
  return (
    <Panel title={texts.checks} aside={texts.checksCount(findings.length)}>
      <ul className="list">
        {findings.map(({ name, bad }) => (
          <li key={name} className="dense">
            <span className="grow small">{titleOf(name)}</span>
            {bad === 0 ? (
              <Pill icon="tick" tone="ok">
                {texts.none}
              </Pill>
            ) : (
              <Pill icon="warning" tone="bad">
                {formatCount(bad)}
              </Pill>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A check's name as a title: "entries" -> "Entries". */
export function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
