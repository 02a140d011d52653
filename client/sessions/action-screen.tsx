import { useLoaderData } from "react-router";
import type { EventsAnswer } from "#src/events/contract.ts";

export function ActionScreen() {
  const { events } = useLoaderData<EventsAnswer>();
  return (
    <main className="card-slot" id="main" tabIndex={-1}>
      <h1>{events.at(-1)?.title ?? "No action yet"}</h1>
    </main>
  );
}
