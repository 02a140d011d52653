import * as words from "#client/base/format/words.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { Field } from "#client/ui/field.tsx";
import { fill } from "#client/ui/fill.tsx";
import { Named, PostButton } from "#client/ui/forms/post-form.tsx";
import { List } from "#client/ui/list.tsx";
import { Panel } from "#client/ui/page-layout.tsx";
import { Pill } from "#client/ui/pill.tsx";
import { ExactMoment } from "#client/ui/time.tsx";
import { switchLabel } from "#src/base/switches/contract.ts";
import { REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { SwitchesAnswer, SwitchView } from "#src/operate/switches/schemas.ts";

/** What a switch closes, and what goes on without it. */
const aboutText: Readonly<Record<SwitchView["name"], string>> = {
  registration: "New accounts by the form, also of guests. Sign-ins, and who comes from a provider, go on.",
  guests: "New guests, also by the code of a session. Those who are in play on.",
  payments: "New deposits. What is open at a checkout may still be paid, and is booked.",
  chat: "New messages, in all sessions. What was written can still be read.",
  uploads: "New pictures of people, questions and brands. Those that are there stay.",
};

/** What admins turn off for the whole site, at once and without a restart. */
export function SwitchesPanel({ loaded: { switches, registration } }: { loaded: SwitchesAnswer }) {
  return (
    <div id="switches">
      <Panel title="What is open" aside={`REGISTRATION is ${registration}`}>
        <List items={switches} row={(each) => <Switch key={each.name} view={each} />} />
      </Panel>
    </div>
  );
}

function Switch({ view: { name, on, offSince, setting } }: { view: SwitchView }) {
  const title = switchLabel(name);
  return (
    <li className="operation" id={`switch-${name}`}>
      <div className="grow">
        <b>{title}</b>
        <p className="small ink2">{aboutText[name]}</p>
        {setting === null ? null : <p className="small">{`Off by the setting ${setting}.`}</p>}
        {offSince === null ? null : (
          <p className="small">{fill("Off since {at}.", { at: <ExactMoment at={offSince} /> })}</p>
        )}
      </div>
      <span className="row">
        {on ? null : <Pill icon="pause" tone="warn" text="Off" />}
        {setting === null && on ? <TurnOff name={name} title={title} /> : null}
        {setting === null && !on ? (
          <PostButton className="btn primary sm" intent="turn_on" fields={{ switch: name }}>
            <Named label="Turn on" name={title} />
          </PostButton>
        ) : null}
      </span>
    </li>
  );
}

function TurnOff({ name, title }: { name: string; title: string }) {
  return (
    <Confirm
      label={<Named label="Turn off" name={title} />}
      className="btn sm"
      title={`Turn off: ${title}?`}
      act={{ label: "Turn off", intent: "turn_off" }}
    >
      <p>For the whole site and at once. People read there that the operator has turned it off.</p>
      <input type="hidden" name="switch" value={name} />
      <Field
        label={words.reason}
        name="reason"
        id={`reason-${name}`}
        maxLength={REASON_LENGTH_MAX}
        optional
      />
    </Confirm>
  );
}
