import { Panel } from "#client/ui/page-layout.tsx";
import type { OperationsView } from "#src/operate/operations/schemas.ts";

const titles: Readonly<Record<string, string>> = {
  disk: "Disk",
  database: "Database",
  connections: "Connections of Postgres",
  "redis-memory": "Memory of Redis",
  memory: "Memory",
  descriptors: "Open files",
};

/** What is left of what runs out, where the process that answers is. The text says it all, so the meter is for the eyes alone. */
export function RoomPanel({ room = [] }: Pick<OperationsView, "room">) {
  return (
    <Panel title="Room left">
      <ul className="list">
        {room.map(({ what, of, text, usedShare }) => (
          <li key={`${what} ${of}`} className="operation">
            <div className="grow">
              <b className="small wrap-anywhere">{`${titles[what] ?? what} ${of && `of ${of}`}`}</b>
              <p className="small ink2">{text}</p>
            </div>
            {usedShare === null ? null : <meter aria-hidden="true" value={1 - usedShare} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
