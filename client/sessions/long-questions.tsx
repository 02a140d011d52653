import { Link } from "react-router";
import type { LongQuestion } from "#src/show/front-door/schemas.ts";
import { fill } from "../ui/fill.tsx";
import { Moment } from "../ui/time.tsx";

/** The questions that are open for days, each with the way to its card. Nothing without one. */
export function LongQuestions({ questions }: { questions: readonly LongQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    // Not a Panel: its code would be one more script of the page that a stranger opens first.
    <section className="panel">
      <header>
        <h2>Open for days</h2>
      </header>
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
    </section>
  );
}
