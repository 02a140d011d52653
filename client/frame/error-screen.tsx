import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import type { Failure } from "../answer-as-page.ts";
import { Unreachable } from "../reach.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

type Words = {
  icon: IconName;
  title: string;
  text: string;
  /** Where the API says more, that is said. */
  explained?: true;
  /** It may be over in a moment. */
  passing?: true;
};

const notFound: Words = {
  icon: "none",
  title: "Nothing was called here",
  text: "This page does not exist, or it is not yours to see.",
};
const forbidden: Words = {
  icon: "lock",
  title: "Not for you",
  text: "Your role does not open this page.",
  explained: true,
};
const tooOften: Words = {
  icon: "clock",
  title: "Not so fast",
  text: "That was too often.",
  explained: true,
  passing: true,
};
const away: Words = {
  icon: "clock",
  title: "Back in a moment",
  text: "Called It is catching its breath. Your calls and your balance are safe. Try again in a moment.",
  passing: true,
};
const offline: Words = {
  icon: "offline",
  title: "You are offline",
  text: "The server cannot be reached. Your calls are safe. Try again when you are back.",
  passing: true,
};
const broken: Words = {
  icon: "warning",
  title: "That was us",
  text: "Something went wrong on our side. Your calls and your balance are safe. Try again in a moment.",
  passing: true,
};

/** A page that could not be shown: what happened and what to do next, and nothing about how it happened. */
export function ErrorScreen() {
  const { icon, title, text, passing } = wordsFor(useRouteError());
  const { pathname, search } = useLocation();
  return (
    <main className="page" id="main" tabIndex={-1}>
      <section className="panel blank" role="alert">
        <Icon name={icon} />
        <h1>{title}</h1>
        <p>{text}</p>
        {passing === true ? (
          <Link className="btn primary" to={pathname + search} reloadDocument>
            Try again
          </Link>
        ) : (
          <Link className="btn primary" to="/sessions" reloadDocument>
            Go to the sessions
          </Link>
        )}
      </section>
    </main>
  );
}

function wordsFor(error: unknown): Words {
  if (error instanceof Unreachable) return offline;
  if (!isRouteErrorResponse(error)) return broken;
  const told: Partial<Failure> | null = error.data;
  const known = byStatus[error.status];
  if (known !== undefined && told?.reason !== "offline")
    return known.explained === true ? explain(known, told) : known;
  return told?.reason === "offline" ? offline : broken;
}

const explain = (words: Words, told: Partial<Failure> | null) => ({
  ...words,
  text: told?.detail || words.text,
});

const byStatus: Record<number, Words> = {
  403: forbidden,
  404: notFound,
  405: notFound,
  429: tooOften,
  503: away,
};
