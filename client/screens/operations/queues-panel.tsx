import { formatCount } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { Named, PostButton } from "#client/ui/forms/post-form.tsx";
import { List } from "#client/ui/list.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { useIsAdmin } from "#client/ui/use-is-admin.ts";
import { mayPause, queueTitle } from "#src/operate/operations/contract.ts";
import type { QueueView } from "#src/operate/operations/schemas.ts";

/** All queues with their counts in words. Admins pause and resume them. */
export function QueuesPanel({ counts }: { counts: readonly QueueView[] }) {
  return (
    <Panel title="Queues" aside={<a href="/admin/queues">Queue dashboard</a>}>
      <List items={counts} row={(queue) => <Queue key={queue.name} queue={queue} />} />
      <p className="body ink2 small">
        Paused, a queue finishes what runs and keeps the rest until it is resumed, also over a restart. The
        game's timers and payments cannot be paused here: pause the session.
      </p>
    </Panel>
  );
}

function Queue({ queue }: { queue: QueueView }) {
  const { name, waiting, active, delayed, completed, failed } = queue;
  const title = queueTitle(name);
  const counts = { waiting, running: active, planned: delayed, "done lately": completed };
  return (
    <li className="operation" id={`queue-${name}`}>
      <div className="grow">
        <b>{title}</b>
        <p className="small ink2">
          {Object.entries(counts)
            .map(([what, count]) => `${formatCount(count)} ${what}`)
            .join(", ")}
        </p>
      </div>
      <span className="row">
        {queue.paused === true ? <Pill icon="pause" tone="warn" text={words.paused} /> : null}
        {failed === 0 ? null : (
          <a href={`${queuePath(name)}?status=failed`}>
            <span className="vh">{title}: </span>
            <Pill icon="warning" tone="bad" text={`${formatCount(failed)} failed`} />
          </a>
        )}
        <SwitchQueue queue={queue} />
      </span>
    </li>
  );
}

export const queuePath = (name: string) => `/admin/queues/queue/${encodeURIComponent(queueTitle(name))}`;

type SwitchProps = { queue: QueueView; isNamed?: boolean };

/** Pauses a queue, or lets it go on. @param isNamed says of which queue, where nothing beside it does. */
export function SwitchQueue({ queue: { name, paused = false }, isNamed = false }: SwitchProps) {
  const isAdmin = useIsAdmin();
  if (!isAdmin || !(paused || mayPause(name))) return null;
  const label = paused ? "Resume" : "Pause";
  const title = queueTitle(name);
  return (
    <PostButton
      className={paused ? "btn primary sm" : "btn sm"}
      intent={paused ? "resume" : "pause"}
      fields={{ queue: name }}
    >
      {isNamed ? `${label} ${title}` : <Named label={label} name={title} />}
    </PostButton>
  );
}
