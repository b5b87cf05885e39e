/** Slack's documented lists (`test/fixtures/slack/documented-lists.json`). */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const address = z.url({ protocol: /^https$/ });
const surfaces = z.array(z.enum(['message', 'modal', 'home']));
const methodSchema = z.strictObject({
  tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal('special')]),
  /** The scopes of a bot token; any one of them is enough. */
  bot: z.array(z.string()),
  token: z.boolean(),
  /** Its arguments cannot be JSON. */
  formOnly: z.literal(true).optional(),
  /** Errors of this method alone. */
  errors: z.array(z.string()),
});
const schema = z.strictObject({
  /** The address of each list, the public copy that was read, and the date of what it says. */
  sources: z.record(
    z.enum(['methods', 'tiers', 'generalErrors', 'limits', 'blocks', 'elements']),
    z.strictObject({
      address,
      copy: address.optional(),
      date: z.iso.date(),
      licence: z.string().optional(),
    }),
  ),
  /** Calls per minute; null where it varies. */
  tiers: z.record(z.enum(['1', '2', '3', '4', 'special']), z.number().nullable()),
  generalErrors: z.array(z.string()),
  methods: z.record(z.string(), methodSchema),
  /** Smallest and largest sizes. */
  limits: z.array(
    z.strictObject({
      what: z.string(),
      least: z.number().optional(),
      most: z.number().optional(),
      source: address,
    }),
  ),
  blocks: z.record(z.string(), surfaces),
  elements: z.record(z.string(), surfaces),
});

const FILE = new URL('../../../fixtures/slack/documented-lists.json', import.meta.url);
export const DOCUMENTED = schema.parse(JSON.parse(readFileSync(FILE, 'utf8')));

/** Whether the documentation of this method, or of all methods, lists the error. */
export function isDocumented(method: string, error: string): boolean {
  return (
    DOCUMENTED.generalErrors.includes(error) || DOCUMENTED.methods[method]?.errors.includes(error) === true
  );
}

/** Errors that the local Slack answers although no list of Slack's has them, each with its source. */
type UndocumentedError = {
  readonly error: string;
  /** Absent: every method. */
  readonly methods?: readonly string[];
  readonly why: string;
  readonly source: string;
};
const METHODS = 'https://docs.slack.dev/reference/methods/';
const GUIDE = 'https://docs.slack.dev/apis/web-api';

export const UNDOCUMENTED_ERRORS: readonly UndocumentedError[] = [
  {
    error: 'invalid_thread_ts',
    methods: ['chat.postMessage', 'chat.postEphemeral'],
    why: 'seen for an empty thread_ts',
    source: 'https://github.com/vercel/chat/issues/268',
  },
  {
    error: 'invalid_attachments',
    methods: ['chat.postMessage'],
    why: 'seen for two tables',
    source: 'https://docs.slack.dev/reference/block-kit/blocks/table-block',
  },
  {
    error: 'msg_blocks_too_long',
    methods: ['chat.postEphemeral', 'chat.update'],
    why: 'the same blocks are refused by chat.postMessage',
    source: 'https://github.com/slackapi/bolt-js/issues/2509',
  },
  {
    error: 'user_not_found',
    methods: ['users.conversations'],
    why: 'the page has no error for an unknown person; this is the one of users.info',
    source: `${METHODS}users.info`,
  },
  {
    error: 'invalid_blocks',
    methods: ['chat.unfurl'],
    why: 'the guide names it for rich text; other blocks are checked as those of messages are',
    source: 'https://docs.slack.dev/messaging/unfurling-links-in-messages',
  },
  {
    error: 'not_in_channel',
    methods: ['conversations.replies'],
    why: 'reads the same messages as conversations.history',
    source: `${METHODS}conversations.history`,
  },
  ...['invalid_json', 'json_not_object'].map((error) => ({
    error,
    why: 'errors of the guide, for every method that reads JSON',
    source: GUIDE,
  })),
];

/** Every error of Slack's that some method answers. */
export const KNOWN_ERRORS: ReadonlySet<string> = new Set([
  ...DOCUMENTED.generalErrors,
  ...Object.values(DOCUMENTED.methods).flatMap(({ errors }) => errors),
  ...UNDOCUMENTED_ERRORS.map(({ error }) => error),
]);

/** Whether the local Slack may answer this method with this error. */
export function isKnownError(method: string, error: string): boolean {
  return (
    isDocumented(method, error) ||
    UNDOCUMENTED_ERRORS.some((known) => known.error === error && (known.methods?.includes(method) ?? true))
  );
}
