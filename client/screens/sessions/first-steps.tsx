import { Link } from "react-router";
import { useViewer } from "#client/base/page/context.ts";
import * as texts from "#client/sessions/sessions-texts.ts";
import { fill } from "#client/ui/fill.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** How far the first show is: the newest blueprint, and the session that was made. */
export type Beginning = {
  blueprint: { id: number; name: string } | undefined;
  session: SessionView | undefined;
};

/** For an admin where no show has been yet: the way to the first one, each step one tap. */
export function FirstSteps({ blueprint, session }: Beginning) {
  const viewer = useViewer();
  const room = `/sessions/${session?.slug}`;
  const steps = [
    {
      done: blueprint !== undefined || session !== undefined,
      text: texts.stepQuestions,
      to: "/blueprints/new",
      label: texts.stepQuestionsLink,
    },
    {
      done: session !== undefined,
      text: texts.stepSession,
      to: blueprint === undefined ? null : `/blueprints/${blueprint.id}`,
      label: texts.stepSessionLink(blueprint?.name ?? ""),
    },
    { text: texts.stepScreen, to: session && `${room}/stage`, label: texts.stepScreenLink },
    { text: texts.stepShare, to: session && `${room}/admin`, label: texts.stepShareLink },
  ];
  const nextAt = steps.findIndex(({ done = false }) => !done);
  return (
    <Panel title={texts.firstShow}>
      <div className="stack body">
        <ol className="stack">
          {steps.map(({ done = false, text, to, label }, at) => (
            <li className="row" key={text} aria-current={at === nextAt ? "step" : undefined}>
              <span className="pill num">{done ? <Icon name="tick" size="s" /> : at + 1}</span>
              <span className={at === nextAt ? "grow strong" : "grow ink2"}>
                {done ? texts.stepDone(text) : text}
              </span>
              {to == null || done ? null : (
                <Link className={at === nextAt ? "btn primary" : "btn"} to={to}>
                  {label}
                </Link>
              )}
            </li>
          ))}
        </ol>
        <p className="small ink2">
          {fill(texts.yourName(viewer?.username ?? ""), {
            change: <Link to="/profile/details">{texts.changeName}</Link>,
          })}
        </p>
      </div>
    </Panel>
  );
}
