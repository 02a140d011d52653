import type { ReactNode } from "react";
import * as words from "#client/base/format/words.ts";
import { SideShape } from "#client/ui/icon.tsx";

/** The column headings of every table of a blueprint's events. */
export function EventColumnHeadings({ first = "#" }: { first?: ReactNode }) {
  return (
    <>
      <th scope="col" className="col-number">
        {first}
      </th>
      <th scope="col">{words.question}</th>
      <th scope="col" className="wide-only col-label">
        {words.trueLabel}
      </th>
      <th scope="col" className="wide-only col-label">
        {words.falseLabel}
      </th>
      <th scope="col" className="wide-only col-starts">
        {words.starts}
      </th>
      <th scope="col" className="end wide-only col-seconds">
        Seconds
      </th>
    </>
  );
}

type Terms = { trueLabel: string; falseLabel: string; starts: string; seconds: number | string };

export function TermCells({ trueLabel, falseLabel, starts, seconds }: Terms) {
  return (
    <>
      <td className="wide-only">
        <span className="side-mark">
          <SideShape side="true" />
          {trueLabel}
        </span>
      </td>
      <td className="wide-only">
        <span className="side-mark">
          <SideShape side="false" />
          {falseLabel}
        </span>
      </td>
      <td className="num ink2 wide-only">{starts}</td>
      <td className="num end strong wide-only">{seconds}</td>
    </>
  );
}
