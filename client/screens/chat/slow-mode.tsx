import { Form } from "react-router";
import * as texts from "#client/chat/chat-texts.ts";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { slowModes } from "#src/play/chat/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

/** For admins: sets how long players wait between two messages. A session that is over cannot be changed. */
export function SlowMode({ session }: { session: SessionView }) {
  const { slowModeSeconds } = session.settings;
  const over = session.state === "stopped";
  return (
    <Form method="post" className="row push slow-mode">
      <CsrfField />
      <label className="small" htmlFor="slow-mode">
        {texts.slowMode}
      </label>
      {/* A change by another admin resets the field. */}
      <select
        className="input sm"
        id="slow-mode"
        name="seconds"
        defaultValue={slowModeSeconds}
        key={slowModeSeconds}
      >
        {[...new Set([...slowModes, slowModeSeconds])].map((seconds) => (
          <option key={seconds} value={seconds}>
            {seconds === 0 ? texts.off : texts.everySeconds(seconds)}
          </option>
        ))}
      </select>
      <Submit className="btn sm" intent="slow_mode" disabledReason={over ? texts.sessionOver : null}>
        {texts.set}
      </Submit>
    </Form>
  );
}
