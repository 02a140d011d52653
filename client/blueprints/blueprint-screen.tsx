import { Link, useActionData, useLoaderData } from "react-router";
import type { BlueprintView } from "#src/blueprints/schemas.ts";
import { SessionRow } from "../sessions/session-row.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { countOf, formatCount } from "../ui/count.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Note } from "../ui/note.tsx";
import { PageLayout, Panel } from "../ui/page-layout.tsx";
import type { ActRefused } from "./act-on-blueprint.ts";
import { EventsList } from "./events-list.tsx";
import { GenerateForm } from "./generate-form.tsx";
import type { BlueprintData } from "./load-blueprint.ts";
import { formatLength, plannedSeconds } from "./plan-times.ts";
import { Timeline } from "./timeline.tsx";

/** A blueprint: its plan, its events and the sessions made from it. */
export function BlueprintScreen() {
  const { blueprint } = useLoaderData<BlueprintData>();
  const { id, name, description, blueprintEvents } = blueprint;
  const refused = useActionData<ActRefused>();
  return (
    <PageLayout
      title={name}
      actions={
        <div className="row">
          <Link className="btn" to={`/blueprints/${id}/edit`}>
            Edit
          </Link>
          <a className="btn primary only-narrow" href="#generate">
            Generate session
          </a>
        </div>
      }
    >
      {refused?.intent === "delete" ? <NotDeleted refused={refused} /> : null}
      {description === "" ? null : <p className="ink2">{description}</p>}
      {blueprintEvents.length === 0 ? null : (
        <Timeline events={blueprintEvents.map((event) => ({ ...event, look: "" }))} />
      )}
      <div className="split">
        <Events blueprint={blueprint} />
        <aside className="stack wide">
          <GenerateForm blueprint={blueprint} refused={refused} />
          <BlueprintFacts blueprint={blueprint} />
          <Sessions />
          <Deletion blueprint={blueprint} />
        </aside>
      </div>
    </PageLayout>
  );
}

/** The API's sentence, and the session that prevents the deletion. */
function NotDeleted({ refused: { errors, refusal } }: { refused: ActRefused }) {
  const sentences = new Set([...(errors["base"] ?? []), refusal]);
  return <Note tone="bad">{[...sentences].join(". ")}</Note>;
}

function Events({ blueprint: { id, blueprintEvents } }: { blueprint: BlueprintView }) {
  if (blueprintEvents.length > 0) return <EventsList events={blueprintEvents} />;
  return (
    <section className="panel">
      <EmptyState icon="slip" title="No actions yet">
        <p>A session that is made now would have nothing to call.</p>
        <Link className="btn primary" to={`/blueprints/${id}/edit?panel=paste`}>
          Add actions
        </Link>
      </EmptyState>
    </section>
  );
}

function Sessions() {
  const { blueprint, sessions } = useLoaderData<BlueprintData>();
  if (sessions.length === 0) return null;
  const more = blueprint.sessionsCount - sessions.length;
  return (
    <Panel title="Its sessions" aside={formatCount(blueprint.sessionsCount)}>
      <ul className="list tall">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} admin />
        ))}
      </ul>
      {more <= 0 ? null : (
        <p className="body small ink2">
          And {countOf(more, "older one")}, among all <Link to="/sessions">sessions</Link>.
        </p>
      )}
    </Panel>
  );
}

function Deletion({ blueprint: { name, blueprintEvents } }: { blueprint: BlueprintView }) {
  return (
    <div>
      <Confirm
        label="Delete the blueprint"
        className="btn bad"
        title={`Delete ${name}?`}
        act={{ label: "Delete", intent: "delete", className: "btn bad" }}
        cancelLabel="Keep it"
      >
        <p>
          It goes with its {countOf(blueprintEvents.length, "action")}. Finished sessions stay. There is no
          way back.
        </p>
      </Confirm>
    </div>
  );
}

/** The planned length and the settings of its sessions. */
function BlueprintFacts({ blueprint }: { blueprint: BlueprintView }) {
  const { blueprintEvents, defaults } = blueprint;
  const facts = {
    Actions: formatCount(blueprintEvents.length),
    "Planned length": formatLength(plannedSeconds(blueprintEvents)),
    Lead: `${defaults.leadSeconds} s`,
    "Settlement delay":
      defaults.settlementDelaySeconds === 0 ? "None" : `${defaults.settlementDelaySeconds} s`,
    "Host may call": defaults.smallRoom ? "Yes" : "No",
  };
  return (
    <section className="panel pad" aria-label="Plan and settings">
      <dl className="plan-facts">
        {Object.entries(facts).map(([name, value]) => (
          <div className="kv" key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
