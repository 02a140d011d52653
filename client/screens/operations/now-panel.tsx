import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { fill } from "#client/ui/fill.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Moment } from "#client/ui/time.tsx";
import { troubleTitles } from "#src/operate/operations/contract.ts";
import type { OperationsView, TroubleView } from "#src/operate/operations/schemas.ts";
import * as texts from "./trouble-texts.ts";

type Props = { operations: OperationsView; oldBecause: string | null; attention: number };

/** Whether anything is wrong, what players notice of it, and what to do. What is first is the cause of what follows. */
export function NowPanel({ operations, oldBecause, attention }: Props) {
  const { serverTime } = operations;
  // What was wrong then says nothing about now.
  const troubles = oldBecause === null ? (operations.troubles ?? []) : [];
  const zone = useTimeZone();
  const at = <time dateTime={serverTime}>{formatClock(serverTime, zone)}</time>;
  const isNoticed = troubles.some(({ part }) => part in texts.noticed);
  return (
    <Panel title={texts.wrongNow} aside={fill(texts.figuresOf, { at })}>
      <div className="body stack">
        {oldBecause === null ? (
          <Summary troubles={troubles.length} isNoticed={isNoticed} attention={attention} />
        ) : (
          <Note tone="bad">
            {oldBecause === "" ? texts.silent : oldBecause} {fill(texts.oldFigures, { at })}
          </Note>
        )}
      </div>
      <ul className="list">
        {troubles.map((trouble) => (
          <Trouble key={`${trouble.part} ${trouble.process}`} trouble={trouble} />
        ))}
      </ul>
    </Panel>
  );
}

type SummaryProps = { troubles: number; isNoticed: boolean; attention: number };

function Summary({ troubles, isNoticed, attention }: SummaryProps) {
  if (troubles > 0)
    return (
      <Note tone={isNoticed ? "bad" : "warn"}>
        {texts.thingsWrong(troubles)} {isNoticed ? texts.playersNotice : texts.playersNoticeNothing}
      </Note>
    );
  return attention === 0 ? (
    <Note tone="ok">{texts.allWell}</Note>
  ) : (
    <Note tone="warn">{texts.attention(attention)}</Note>
  );
}

function Trouble({ trouble: { part, process, what, detail, cure, since } }: { trouble: TroubleView }) {
  const noticed = texts.noticed[part];
  return (
    <li className="trouble">
      <Icon name="warning" className={noticed === undefined ? "warn" : "bad"} />
      <div className="grow">
        <b>{troubleTitles[what] ?? what}</b>
        <p className="small">{cure}</p>
        {noticed === undefined ? null : (
          <p className="small">
            <b>{texts.forPlayers}</b> {noticed}
          </p>
        )}
        {detail === null ? null : <p className="small ink2 wrap-anywhere detail">{detail}</p>}
        <p className="small ink2">
          {fill(process === null ? texts.since : texts.sinceAt(process), { at: <Moment at={since} /> })}
        </p>
      </div>
    </li>
  );
}
