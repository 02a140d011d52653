import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import type { Failure } from "../base/page/error-responses.ts";
import * as texts from "./frame-texts.ts";
import { Icon, type IconName } from "./icon.tsx";

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
  title: texts.notFoundTitle,
  text: texts.notFoundText,
};
const signedOut: ErrorText = {
  icon: "lock",
  title: texts.signedOutTitle,
  text: texts.signedOutText,
};
const forbidden: ErrorText = {
  icon: "lock",
  title: texts.forbiddenTitle,
  text: texts.forbiddenText,
  explained: true,
};
const refused: ErrorText = {
  icon: "warning",
  title: texts.refusedTitle,
  text: texts.refusedText,
  explained: true,
  temporary: true,
};
const tooManyRequests: ErrorText = {
  icon: "clock",
  title: texts.tooOftenTitle,
  text: texts.tooOftenText,
  explained: true,
  temporary: true,
};
const away: ErrorText = {
  icon: "clock",
  title: texts.unavailableTitle,
  text: texts.unavailableText,
  temporary: true,
};
const offline: ErrorText = {
  icon: "offline",
  title: texts.offlineTitle,
  text: texts.offlineText,
  temporary: true,
};
const broken: ErrorText = {
  icon: "warning",
  title: texts.serverErrorTitle,
  text: texts.serverErrorText,
  temporary: true,
};

type ErrorBoxProps = {
  failure: Failure;
  /** Of the title: 1 where the box is the whole page, 2 in a page that has a title. */
  level: 1 | 2;
};

/** What is shown instead of what failed: what happened and what to do next, without technical details. */
export function ErrorBox({ failure, level }: ErrorBoxProps) {
  const { icon, title, text, temporary } = textFor(failure);
  const Title = level === 1 ? "h1" : "h2";
  return (
    <section className="panel blank" role="alert">
      <Icon name={icon} />
      <Title>{title}</Title>
      <p>{text}</p>
      <NextStep leadsTo={failure.leadsTo} temporary={temporary === true} />
    </section>
  );
}

function NextStep({ leadsTo, temporary }: { leadsTo: string | null; temporary: boolean }) {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (leadsTo !== null) globalThis.location.assign(leadsTo);
  }, [leadsTo]);
  const [to, label] = temporary ? [pathname + search, texts.tryAgain] : ["/sessions", texts.goToSessions];
  return (
    <Link className="btn primary" to={leadsTo ?? to} reloadDocument>
      {leadsTo === null ? label : texts.goOn}
    </Link>
  );
}

function textFor({ status, details }: Failure): ErrorText {
  if (details?.reason === "offline") return offline;
  const known = byStatus[status] ?? broken;
  return known.explained === true ? { ...known, text: details?.detail || known.text } : known;
}

const byStatus: Record<number, ErrorText> = {
  401: signedOut,
  403: forbidden,
  404: notFound,
  405: notFound,
  422: refused,
  429: tooManyRequests,
  503: away,
};
