import type { JsonSchema } from "@valibot/to-json-schema";
import { command, serverFrames, streamMessages } from "#src/live/cable/frames.ts";
import { sessionMessage, userMessage } from "#src/live/relay/schemas.ts";
import { isWebhookKind, kindLabel, PING_TYPE } from "#src/webhooks/contract.ts";
import { pingMessage } from "#src/webhooks/schemas.ts";
import { answerSchema, namedSchemas, sentSchema } from "./json-schemas.ts";

// What the cable broadcasts and what webhooks get, for the documents. Both are made from the schemas by which the relay's messages are
// typed, so a message that is not described does not compile.

type Node = { [key: string]: unknown };
/** A kind of message: its name, such as "Event/resolve", and its JSON. */
type Described = { name: string; schema: JsonSchema };
type Variant = (typeof sessionMessage | typeof userMessage)["options"][number] | typeof pingMessage;

/** Where a message stands in its stream. */
const offsetProperties = { epoch: { type: "string" }, offset: { type: "integer" } } as const;
/** These are sent beside the stream. */
const withoutOffset = ["Host/list", "Message/refuse", PING_TYPE];

/** A kind of message for each change that a variant has. */
function kindsOf(variant: Variant, target?: Parameters<typeof answerSchema>[1]): Described[] {
  const { properties, required = [], ...rest } = answerSchema(variant, target);
  const { sourceType, eventType } = variant.entries;
  const changes = "options" in eventType ? eventType.options : [eventType.literal];
  return changes.map((change) => {
    const name = `${sourceType.literal}/${change}`;
    const isInStream = !withoutOffset.includes(name);
    const more = isInStream ? offsetProperties : {};
    return {
      name,
      schema: {
        ...rest,
        properties: { ...properties, eventType: { const: change }, ...more },
        required: [...required, ...Object.keys(more)],
      },
    };
  });
}

/** For OpenAPI: what a webhook of the format `json` gets, by its type. */
export function describeWebhooks(headers: Node[]): Node {
  const told = sessionMessage.options.filter(({ entries }) =>
    ["Event", "Session"].includes(entries.sourceType.literal),
  );
  const kinds = [...told, pingMessage].flatMap((variant) => kindsOf(variant));
  return Object.fromEntries(
    kinds.map(({ name, schema }) => [name, { post: describePost(name, schema, headers) }]),
  );
}

function describePost(name: string, schema: JsonSchema, parameters: Node[]): Node {
  return {
    tags: ["Webhooks"],
    summary: isWebhookKind(name) ? kindLabel(name) : "A test",
    security: [],
    parameters,
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": {
        description: "The message has arrived. Any other answer, and none within 10 s: it is sent again.",
      },
    },
  };
}

// AsyncAPI 3 describes the messages of a channel by JSON Schema draft 07.
const CABLE = "draft-07";

const ref = (...parts: string[]): Node => ({ $ref: `#/${parts.join("/")}` });
/** A name as a key of the document: "Event/resolve" -> "Event.resolve". */
const keyOf = (name: string) => name.replace("/", ".");

const CABLE_ABOUT = `What happens in a show, as it happens: the protocol of Action Cable (\`actioncable-v1-json\`) at /cable.

A program sends its access token in the header Authorization. It waits for \`welcome\`, sends \`subscribe\` with an identifier, and gets
the messages of that subscription in frames with the same identifier. Each message of a stream has an \`offset\` in an \`epoch\`: after a
break, the action \`since\` with the last one of both (the chat counts by itself) brings what was missed, and then \`caughtUp\`, or \`gap\` if
that is too much. Clients that offer \`actioncable-v1-ext-json\` ask for it when they subscribe (\`history\`).`;

export function describeCable(): Node {
  const frames = Object.entries(serverFrames).map(([name, schema]) => ({
    name,
    schema: answerSchema(schema, CABLE),
  }));
  const commands = command.options.flatMap(commandsOf);
  const streamed = Object.entries(streamMessages).map(([name, schema]) => ({
    name,
    schema: answerSchema(schema, CABLE),
  }));
  const ofSubscription = (variants: readonly Variant[]) =>
    [...variants.flatMap((variant) => kindsOf(variant, CABLE)), ...streamed].map(inFrame);
  const channels = {
    cable: channelOf("Frames without a message, and commands.", [...frames, ...commands]),
    SessionsChannel: channelOf(
      'A session, its events, pools, leaders and chat: the identifier `{"channel":"SessionsChannel","id":"friday-quiz"}`, with the id or slug of a session. What hosts are about to do comes to hosts, and to tokens with the scope `run`.',
      ofSubscription(sessionMessage.options),
    ),
    UserChannel: channelOf(
      'A player\'s own calls, wallet and notifications: the identifier `{"channel":"UserChannel","id":"gid://called-it/User/1"}`. No token opens it.',
      ofSubscription(userMessage.options),
    ),
  };
  const sends = (channel: string, messages: readonly Described[]) => operationOf("send", channel, messages);
  return {
    asyncapi: "3.0.0",
    info: { title: "Called It, cable", version: "1", description: CABLE_ABOUT },
    defaultContentType: "application/json",
    servers: { calledIt: server },
    channels,
    operations: {
      takeCommands: operationOf("receive", "cable", commands),
      sendFrames: sends("cable", frames),
      sendSessionMessages: sends("SessionsChannel", ofSubscription(sessionMessage.options)),
      sendUserMessages: sends("UserChannel", ofSubscription(userMessage.options)),
    },
    components: { schemas: namedSchemas(CABLE), securitySchemes },
  };
}

const server = {
  host: "{host}",
  pathname: "/cable",
  protocol: "wss",
  variables: { host: { description: "The address of this server.", default: "localhost:3000" } },
  security: [
    ref("components", "securitySchemes", "accessToken"),
    ref("components", "securitySchemes", "signIn"),
  ],
};

const securitySchemes = {
  accessToken: {
    type: "http",
    scheme: "bearer",
    description: "An access token: it reads, and changes nothing.",
  },
  signIn: {
    type: "httpApiKey",
    name: "called_it",
    in: "cookie",
    description: "Of a browser, with its Origin.",
  },
};

function commandsOf(variant: (typeof command)["options"][number]): Described[] {
  const { properties, ...rest } = sentSchema(variant, CABLE);
  const named = variant.entries.command;
  const names = "options" in named ? named.options : [named.literal];
  return names.map((name) => ({
    name,
    schema: { ...rest, properties: { ...properties, command: { const: name } } },
  }));
}

/** A message as it comes: with the identifier of its subscription, and to extended clients with its place in its stream. */
function inFrame({ name, schema }: Described): Described {
  const stream = { stream_id: { type: "string" as const }, ...offsetProperties };
  const properties = { identifier: { type: "string" as const }, message: schema, ...stream };
  return { name, schema: { type: "object", properties, required: ["identifier", "message"] } };
}

function channelOf(description: string, messages: readonly Described[]): Node {
  const described = messages.map(({ name, schema }) => [keyOf(name), { name, payload: schema }]);
  return { address: "/cable", description, messages: Object.fromEntries(described) };
}

function operationOf(action: "send" | "receive", channel: string, messages: readonly Described[]): Node {
  const refs = messages.map(({ name }) => ref("channels", channel, "messages", keyOf(name)));
  return { action, channel: ref("channels", channel), messages: refs };
}
