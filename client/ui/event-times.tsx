import type { EventView } from "#src/show/events/schemas.ts";
import { Fact } from "./fact.tsx";
import { Moment } from "./time.tsx";

/** When an event was made, and when players first saw it. Inside a <dl>. */
export function EventTimes({ event }: { event: Pick<EventView, "createdAt" | "publishedAt"> }) {
  return (
    <>
      <Fact className="num" label="created">
        <Moment at={event.createdAt} />
      </Fact>
      {event.publishedAt === null ? null : (
        <Fact className="num" label="published">
          <Moment at={event.publishedAt} />
        </Fact>
      )}
    </>
  );
}
