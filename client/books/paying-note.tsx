import type { SettlingView } from "#src/settlements/schemas.ts";
import { formatCount } from "../ui/count.ts";
import { Note } from "../ui/note.tsx";
import { Moment } from "../ui/time.tsx";

/** A crowd that is being paid: what is on its way from the losers to the winners stands under Accounts. */
export function PayingNote({ settling }: { settling: SettlingView }) {
  const { eventTitle, paidCallsCount, callsCount, startedAt } = settling;
  return (
    <Note>
      <b>
        Paying {formatCount(paidCallsCount)} of {formatCount(callsCount)} calls.
      </b>{" "}
      {eventTitle} was decided <Moment at={startedAt} />.
    </Note>
  );
}
