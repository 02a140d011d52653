import { explainError } from "#src/base/describe-error.ts";
import { nameOf, sendAlert } from "#src/operate/alerts/send-alert.ts";
import { alertWriter } from "#src/operate/alerts/write-alert.ts";
import { readEnv } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

// bun run alerts: sends a test message to each address of ALERTS_TO, and says whether it was taken. It ends with 1 if one was not.
await runCommand(async ({ say }) => {
  const env = readEnv();
  if (env.alertsTo.length === 0)
    say(
      "ALERTS_TO is not set: nobody is told what is wrong. Set it to mail addresses and https:// addresses.",
    );
  for (const address of env.alertsTo) {
    try {
      await sendAlert(env, address, alertWriter(env).test());
      say(`${nameOf(address)} has taken a test message. Look whether it arrived.`);
    } catch (error) {
      say(`${nameOf(address)} has not taken a test message: ${explainError(error)}`);
      process.exitCode = 1;
    }
  }
});
