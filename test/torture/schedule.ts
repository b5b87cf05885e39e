/** A schedule: what is done to a sandbox, and when. Plain data, so that it can be stored, shortened and replayed. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { RULE_FILES } from './plan/rule-files.ts';

const userSchema = z.enum([
  'operator',
  'operator2',
  'approver',
  'approver2',
  'approver3',
  'viewer',
  'admin',
  'outsider',
]);
export type ScheduleUser = z.infer<typeof userSchema>;

const faultSchema = z.strictObject({
  service: z.enum(['management', 'slack']),
  match: z.string(),
  kind: z.enum(['status', 'slow', 'late', 'cut', 'cut-after', 'malformed', 'throttle', 'answer', 'list']),
  times: z.int(),
  status: z.int().exactOptional(),
  ms: z.int().exactOptional(),
  retry_after: z.int().exactOptional(),
  body: z.json().exactOptional(),
  take: z.int().exactOptional(),
  page: z.int().exactOptional(),
});
export type PlannedFault = z.infer<typeof faultSchema>;

const deedSchema = z.discriminatedUnion('do', [
  /** A slash command; in a direct message or with a mention, the same as a message. */
  z.strictObject({ do: z.literal('type'), user: userSchema, channel: z.string(), text: z.string() }),
  /** All of them press the same button at once, on one of the messages that have it; `pick` chooses which. */
  z.strictObject({
    do: z.literal('press'),
    users: z.array(userSchema).min(1),
    channel: z.string(),
    action: z.string(),
    pick: z.number(),
    /** Only of messages whose text contains this. */
    about: z.string().exactOptional(),
  }),
  /** Decides all that this person can mark in the window for several. */
  z.strictObject({ do: z.literal('several'), user: userSchema, action: z.enum(['approve', 'deny']) }),
  /** The configuration file is changed, rightly or not; with `half` and `empty` the one before it stays in force. */
  z.strictObject({
    do: z.literal('file'),
    how: z.enum(['write', 'swap', 'half', 'empty']),
    file: z.enum(RULE_FILES),
  }),
  /** A group of the fleet gets another name, or is removed, in the console of the service. */
  z.strictObject({ do: z.literal('console'), how: z.enum(['rename', 'remove']), group: z.int() }),
  /** Somebody with the bot token posts a message of their own with the newest button to approve; this person presses it. */
  z.strictObject({ do: z.literal('forge'), user: userSchema, channel: z.string() }),
  /** Opens the form of a command, fills it in and submits it. */
  z.strictObject({ do: z.literal('form'), user: userSchema, text: z.string(), pick: z.number() }),
  z.strictObject({
    do: z.literal('world'),
    order: z.strictObject({
      do: z.enum([
        'patch-fails',
        'patch-applies',
        'device-added',
        'device-offline',
        'device-online',
        'storm',
        'installs-fail',
        'installs-work',
      ]),
      device: z.string().exactOptional(),
      count: z.int().exactOptional(),
      patch: z.string().exactOptional(),
      reason: z.string().exactOptional(),
    }),
  }),
  /** This many patch failures on a device, each with its own reason and therefore its own card. */
  z.strictObject({ do: z.literal('burst'), count: z.int().min(1), device: z.string() }),
  z.strictObject({ do: z.literal('fault'), fault: faultSchema }),
  z.strictObject({ do: z.literal('mend') }),
  z.strictObject({
    do: z.literal('bot'),
    /** `pause-at-claim`: whichever claims something next stands still before it sends that. `hangup`: SIGHUP. */
    how: z.enum(['stop', 'kill', 'start', 'pause', 'resume', 'pause-at-claim', 'hangup']),
    index: z.int().exactOptional(),
    count: z.int().exactOptional(),
    skew: z.string().exactOptional(),
  }),
  z.strictObject({ do: z.literal('clock'), advance: z.string() }),
  z.strictObject({
    do: z.literal('delivery'),
    how: z.enum(['duplicate', 'reorder', 'disconnect', 'refresh', 'half-open', 'kill-socket']),
    times: z.int().exactOptional(),
  }),
  /** For PostgreSQL: `cut` ends every connection, `restart` restarts the server, `expire` ends every lease, as when its clock was set. */
  z.strictObject({ do: z.literal('database'), how: z.enum(['cut', 'restart', 'expire']) }),
]);
export type ScheduledAction = z.infer<typeof deedSchema>;

const stepSchema = z.strictObject({
  /** Milliseconds of wall time from the start; steps run in this order. */
  at: z.int().min(0),
  /** The kind of fault that it belongs to, or the traffic. */
  of: z.string().exactOptional(),
  /**
   * Waits (at most 20 s) until this many requests of the bot came since the previous step: `METHOD /path
   * key-of-the-card`.
   */
  when: z.strictObject({ seen: z.string(), count: z.int().min(1) }).exactOptional(),
  deed: deedSchema,
});
export type ScheduleStep = z.infer<typeof stepSchema>;

export const scheduleSchema = z.strictObject({
  seed: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  replicas: z.int().min(1).max(8),
  /** What it found when it was stored. */
  found: z.array(z.string()).exactOptional(),
  steps: z.array(stepSchema),
});
export type Schedule = z.infer<typeof scheduleSchema>;

export async function readSchedule(path: string): Promise<Schedule> {
  return scheduleSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** One step per line, so that a person can read and edit it. */
export function writeSchedule({ steps, ...head }: Schedule): string {
  const lines = steps.map((one) => `    ${JSON.stringify(one)}`);
  const facts = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return `{\n${facts.join('\n')}\n  "steps": [\n${lines.join(',\n')}\n  ]\n}\n`;
}
