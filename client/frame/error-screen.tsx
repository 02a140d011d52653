import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import type { ErrorDetails } from "../error-responses.ts";
import { Unreachable } from "../request-with-retry.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

type ErrorText = {
  icon: IconName;
  title: string;
  text: string;
  /** The API's own sentence replaces the text. */
  explained?: true;
  /** A retry may succeed. */
  temporary?: true;
};

const notFound: ErrorText = {
  icon: "none",
  title: "Nothing was called here",
  text: "This page does not exist, or it is not yours to see.",
};
const forbidden: ErrorText = {
  icon: "lock",
  title: "Not for you",
  text: "Your role does not open this page.",
  explained: true,
};
const tooManyRequests: ErrorText = {
  icon: "clock",
  title: "Not so fast",
  text: "That was too often.",
  explained: true,
  temporary: true,
};
const away: ErrorText = {
  icon: "clock",
  title: "Back in a moment",
  text: "Called It is catching its breath. Your calls and your balance are safe. Try again in a moment.",
  temporary: true,
};
const offline: ErrorText = {
  icon: "offline",
  title: "You are offline",
  text: "The server cannot be reached. Your calls are safe. Try again when you are back.",
  temporary: true,
};
const broken: ErrorText = {
  icon: "warning",
  title: "That was us",
  text: "Something went wrong on our side. Your calls and your balance are safe. Try again in a moment.",
  temporary: true,
};

/** A page that failed: says what happened and what to do next, without technical details. */
export function ErrorScreen() {
  const { icon, title, text, temporary } = textFor(useRouteError());
  const { pathname, search } = useLocation();
  return (
    <main className="page" id="main" tabIndex={-1}>
      <section className="panel blank" role="alert">
        <Icon name={icon} />
        <h1>{title}</h1>
        <p>{text}</p>
        {temporary === true ? (
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

function textFor(error: unknown): ErrorText {
  if (error instanceof Unreachable) return offline;
  if (!isRouteErrorResponse(error)) return broken;
  const details: Partial<ErrorDetails> | null = error.data;
  const known = byStatus[error.status];
  if (known !== undefined && details?.reason !== "offline")
    return known.explained === true ? explain(known, details) : known;
  return details?.reason === "offline" ? offline : broken;
}

const explain = (error: ErrorText, details: Partial<ErrorDetails> | null) => ({
  ...error,
  text: details?.detail || error.text,
});

const byStatus: Record<number, ErrorText> = {
  403: forbidden,
  404: notFound,
  405: notFound,
  429: tooManyRequests,
  503: away,
};
