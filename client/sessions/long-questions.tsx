import { Link } from "react-router";
import type { LongQuestion } from "#src/show/front-door/schemas.ts";
import { fill } from "../ui/fill.tsx";
import { Panel } from "../ui/page-layout.tsx";
import { Moment } from "../ui/time.tsx";

/** The questions that are open for days, each with the way to its card. Nothing without one. */
export function LongQuestions({ questions }: { questions: readonly LongQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <Panel title="Open for days">
      <ul className="list tall">
        {questions.map(({ id, title, closesAt, slug, name }) => (
          <li key={id}>
            <span className="grow">
              <bdi>
                <b>{title}</b>
              </bdi>
              <span className="tiny muted">
                {fill("{session}, closes {at}", { session: <bdi>{name}</bdi>, at: <Moment at={closesAt} /> })}
              </span>
            </span>
            <Link className="btn" to={`/sessions/${slug}?question=${id}`}>
              Call it<span className="vh">: {title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
