/** Slack's documented lists (`test/fixtures/slack/documented-lists.json`). */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const address = z.url({ protocol: /^https$/ });
const surfaces = z.array(z.enum(['message', 'modal', 'home']));
const methodSchema = z.strictObject({
  tier: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal('special')]),
  /** The scopes of a bot token; any one of them is enough. */
  bot: z.array(z.string()),
  /** Whether a token is required. */
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
  /** Errors of every method. */
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
