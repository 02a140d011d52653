import { Form, Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Note } from "#client/ui/note.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { Moment } from "#client/ui/time.tsx";
import type { EventRef, FailedJobView } from "#src/operate/operations/schemas.ts";
import type { RetryRefusal } from "./act-on-operations.ts";
import { describeJob } from "./describe-job.ts";
import * as texts from "./operations-texts.ts";

type FailedProps = { jobs: readonly FailedJobView[]; total: number; refusal: RetryRefusal | undefined };

/** The failed jobs in words, with what they were about; without one there is no panel. Admins retry them. */
export function FailedJobs({ jobs, total, refusal }: FailedProps) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  if (jobs.length === 0) return null;
  const done = jobs.filter(({ isOpen }) => isOpen === false);
  return (
    <Panel title={texts.failedJobs} aside={total === 0 ? undefined : texts.failedCount(total)}>
      {refusal === undefined ? null : (
        <div className="body">
          <Note tone="bad">{refusal.refusal}</Note>
        </div>
      )}
      <JobList jobs={jobs.filter(({ isOpen }) => isOpen !== false)} />
      {done.length === 0 ? null : (
        <details className="body">
          <summary className="small">{texts.doneSinceTitle(done.length)}</summary>
          <JobList jobs={done} />
        </details>
      )}
      <p className="body ink2 small">
        <span>{texts.failedHint}</span> {isAdmin ? null : <span>{texts.retryHint}</span>}
      </p>
    </Panel>
  );
}

function JobList({ jobs }: { jobs: readonly FailedJobView[] }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  return (
    <ul className="list">
      {jobs.map((job) => (
        <FailedJob key={`${job.queue} ${job.id}`} job={job} isAdmin={isAdmin} />
      ))}
    </ul>
  );
}

function FailedJob({ job, isAdmin }: { job: FailedJobView; isAdmin: boolean }) {
  const title = describeJob(job);
  return (
    <li className="operation">
      <div className="grow">
        <b>{title}</b>
        <p className="small ink2 wrap-anywhere">
          {job.isOpen === null ? null : <>{job.isOpen ? texts.notDone : texts.doneSince} </>}
          {fill(texts.failedAfter(job.attempts), { at: <Moment at={job.failedAt} />, reason: job.reason })}
        </p>
      </div>
      <span className="row">
        {job.event === null ? null : <EventLinks event={job.event} />}
        <a className="btn sm" href={`/admin/queues/queue/${job.queue}/${job.id}?status=failed`}>
          {texts.jobDetails}
          <span className="vh">: {title}</span>
        </a>
        {isAdmin && job.isOpen !== false ? <Retry job={job} title={title} /> : null}
      </span>
    </li>
  );
}

function Retry({ job, title }: { job: FailedJobView; title: string }) {
  return (
    <Form method="post">
      <CsrfField />
      <input type="hidden" name="queue" value={job.queue} />
      <input type="hidden" name="job_id" value={job.id} />
      <Submit className="btn primary sm" intent="retry">
        {texts.retry}
        <span className="vh">: {title}</span>
      </Submit>
    </Form>
  );
}

/** The ways to an event: its settlement, and for admins the control room of its session. */
export function EventLinks({ event }: { event: EventRef }) {
  const isAdmin = useViewer()?.roles.includes("admin") ?? false;
  const { id, title, sessionSlug: slug } = event;
  if (slug === null) return null;
  return (
    <>
      <Link className="btn sm" to={`/sessions/${slug}/events/${id}`}>
        {texts.eventLink}
        <span className="vh">: {title}</span>
      </Link>
      {isAdmin ? (
        <Link className="btn sm" to={`/sessions/${slug}/admin`}>
          {texts.controlRoom}
          <span className="vh">: {title}</span>
        </Link>
      ) : null}
    </>
  );
}
