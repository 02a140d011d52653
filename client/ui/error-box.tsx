import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import * as words from "#client/base/format/words.ts";
import { site } from "#src/settings/contract.ts";
import type { Failure } from "../base/page/error-responses.ts";
import { Icon, type IconName } from "./icon.tsx";

type ErrorText = {
  icon: IconName;
  title: string;
  text: string;
  /** The API's own sentence replaces the text. */
  explained?: true;
  temporary?: true;
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
  const [to, label] = temporary ? [pathname + search, words.tryAgain] : ["/sessions", words.goToTheSessions];
  return (
    <Link className="btn primary" to={leadsTo ?? to} reloadDocument>
      {leadsTo === null ? label : "Go on"}
    </Link>
  );
}

function textFor({ status, details }: Failure): ErrorText {
  if (details?.reason === "offline")
    return {
      icon: "offline",
      title: "You are offline",
      text: "The server cannot be reached. Your calls are safe. Try again when you are back.",
      temporary: true,
    };
  const known = byStatus[status] ?? byStatus[500] ?? notFound;
  return known.explained === true ? { ...known, text: details?.detail || known.text } : known;
}

const notFound: ErrorText = {
  icon: "none",
  title: "Nothing was called here",
  text: "This page does not exist, or it is not yours to see.",
};

const byStatus: Record<number, ErrorText> = {
  401: { icon: "lock", title: "You are signed out", text: "Sign in again to see this." },
  403: {
    icon: "lock",
    title: "You don't have access",
    text: "Your role does not open this page.",
    explained: true,
  },
  404: notFound,
  405: notFound,
  422: {
    icon: "warning",
    title: "That did not work",
    text: "Reload the page and try again.",
    explained: true,
    temporary: true,
  },
  429: {
    icon: "clock",
    title: "Too many attempts",
    text: "Too many attempts.",
    explained: true,
    temporary: true,
  },
  500: {
    icon: "warning",
    title: "Something went wrong",
    text: "It is our fault. Your calls and your balance are safe. Try again in a moment.",
    temporary: true,
  },
  503: {
    icon: "clock",
    title: "Back in a moment",
    get text() {
      return `${site().name} is having trouble right now. Your calls and your balance are safe. Try again in a moment.`;
    },
    temporary: true,
  },
};
