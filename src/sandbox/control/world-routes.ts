/** Routes for what happens outside the bot: devices, faults, time, and the bot's own processes. */
import { Hono } from 'hono';
import { z } from 'zod';
import { DAY, HOUR, MINUTE, type MovableClock, SECOND } from '../../lib/clock.ts';
import type { FollowedMoves } from '../clock-sync.ts';
import {
  FAULT_KINDS,
  type ManagementService,
  type Wire,
  WORLD_REQUESTS,
  type Workspace,
} from '../contracts/services.ts';
import type { ProcessHealth } from '../process/product-process.ts';
import type { ProductReplicas, ProductSetup } from '../process/product-setup.ts';
import { validateBody, validateQuery } from './validation.ts';

export type ControlOptions = FollowedMoves & {
  readonly clock: Pick<MovableClock, 'now'>;
  readonly wire: Wire;
  readonly management: ManagementService;
  /** Absent when the management service runs alone. */
  readonly workspaceState?: {
    readonly workspace: Workspace;
    readonly bots: ProductReplicas & Pick<ProductSetup, 'configuration'>;
    /** The last lines of the bot's processes, and how the last of them ended. */
    readonly health: () => ProcessHealth;
    /** The address on which the bot listens. */
    readonly botUrl: () => string | null;
  };
  /** Resets everything to the seed; resolves when the bot is ready again. */
  readonly reset: () => Promise<void>;
  /** The page's files. */
  readonly pageFolder: string;
};
type WorkspaceState = NonNullable<ControlOptions['workspaceState']>;

/** How long after it happened an event is listed. */
function listedAfter(text: string, context: z.RefinementCtx): number {
  const ms = text.startsWith('+') ? parseDuration(text.slice(1)) : null;
  if (ms !== null) return ms;
  context.addIssue('must be a duration from now such as +10m');
  return z.NEVER;
}

const service = z.enum(['management', 'slack']);
const deviceName = z.union([z.string(), z.number().transform(String)], { error: 'must be a name or an id' });
const worldRequestSchema = z.object({
  do: z.enum(WORLD_REQUESTS),
  device: deviceName.exactOptional(),
  name: z.string().exactOptional(),
  count: z.int().min(1).exactOptional(),
  patch: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  listed: z.string().transform(listedAfter).exactOptional(),
  time: z.null().exactOptional(),
});
const faultSchema = z.object({
  service,
  match: z.string().min(1),
  kind: z.enum(FAULT_KINDS),
  times: z.int().min(1).exactOptional(),
  status: z.int().min(200).max(599).exactOptional(),
  ms: z.int().min(0).max(600_000).exactOptional(),
  retry_after: z.int().min(0).max(86_400).exactOptional(),
  body: z.json().exactOptional(),
  take: z.int().min(0).exactOptional(),
  page: z.int().min(0).exactOptional(),
});
const journalQuerySchema = z.object({
  service: service.exactOptional(),
  /** Only the newest entries, this many. */
  last: z.coerce.number().int().min(1).exactOptional(),
});
const advanceSchema = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  context.addIssue('must be a duration such as 90s, 31m, 2h, 1d or 1h30m, at most 400d');
  return z.NEVER;
});

/** Maximum of product processes; more would only keep the machine busy. */
const MAX_REPLICAS = 8;
const skewSchema = z.string().transform((text, context) => {
  const ms = /^[+-]/.test(text) ? parseDuration(text.slice(1)) : null;
  if (ms !== null) return text.startsWith('-') ? -ms : ms;
  context.addIssue('must be a signed duration such as +2m or -30s');
  return z.NEVER;
});

/** Routes that change the world around the bot. */
export function worldRoutes({ clock, wire, management, travel, caughtUp, reset }: ControlOptions): Hono {
  return new Hono()
    .post(
      '/world',
      validateBody(worldRequestSchema, (requested, context) => {
        const result = management.world(requested);
        return result.ok ? result : context.json(result, 400);
      }),
    )
    .post(
      '/fault',
      validateBody(faultSchema, (requested) => {
        wire.inject(requested);
        return { ok: true };
      }),
    )
    .delete('/fault', (context) => {
      wire.clearFaults();
      return context.json({ ok: true });
    })
    .post(
      '/clock',
      validateBody(z.object({ advance: advanceSchema }), async ({ advance: ms }) => {
        await travel(ms);
        return { ok: true, clock: clock.now() };
      }),
    )
    .get('/caught-up', async (context) => {
      await caughtUp();
      return context.json({ ok: true, clock: clock.now() });
    })
    .get(
      '/journal',
      validateQuery(journalQuerySchema, ({ service, last }) => ({
        requests: wire.journal(service, last),
        total: wire.requests(),
      })),
    )
    .post('/reset', async (context) => {
      await reset();
      return context.json({ ok: true, clock: clock.now() });
    });
}

/** Routes for the product's processes and their configuration file. */
export function botRoutes({ bots, health }: Pick<WorkspaceState, 'bots' | 'health'>): Hono {
  const order = z.object({
    do: z.enum(['stop', 'kill', 'start', 'pause', 'resume', 'hangup']),
    count: z.int().min(1).max(MAX_REPLICAS).exactOptional(),
    /** Index of one of several processes, from 0. */
    index: z
      .int()
      .min(0)
      .max(MAX_REPLICAS - 1)
      .exactOptional(),
    skew: skewSchema.exactOptional(),
  });
  return new Hono()
    .get('/bot', (context) => {
      const { lines, lastExit } = health();
      const [running, paused] = [bots.running(), bots.paused()];
      return context.json({ running: running.length, places: running, paused, last_exit: lastExit, lines });
    })
    .post(
      '/bot',
      validateBody(order, async ({ do: what, skew: skewMs, ...choice }) => {
        const requested = { ...choice, ...(skewMs === undefined ? {} : { skewMs }) };
        await (what === 'start' ? bots.start(requested) : bots[what](choice));
        return { ok: true, running: bots.running().length };
      }),
    )
    .get('/configuration', async (context) => context.json({ text: await bots.configuration.read() }))
    .post(
      '/configuration',
      validateBody(z.object({ text: z.string() }), async ({ text }) => {
        const problems = await bots.configuration.write(text);
        return { ok: problems.length === 0, problems };
      }),
    );
}

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
/** A longer move would only keep the machine busy. */
const MAX_DURATION_MS = 400 * DAY;

/** Milliseconds; null for text that is no duration, zero, or more than 400 days. */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,9}[smhd]\s*)+$/.test(text.trim())) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([smhd])/g)) {
    total += Number(count) * (UNITS[unit ?? ''] ?? 0);
  }
  return total > 0 && total <= MAX_DURATION_MS ? total : null;
}

/** Everything that a program needs to connect; the keys open nothing but this sandbox. */
export function readState({ clock, management, wire, isBehind, workspaceState }: ControlOptions) {
  const { baseUrl, apiKey, organizationId } = management;
  const { workspace, bots, botUrl } = workspaceState ?? {};
  const processes = bots?.running().length ?? 0;
  return {
    users: workspace?.users() ?? [],
    channels: (workspace?.channels() ?? []).filter(({ isPrivate }) => isPrivate !== true),
    userGroups: workspace?.userGroups() ?? [],
    organization: { id: organizationId },
    clock: clock.now(),
    /** The product has not done yet what fell due on the way to this time. */
    catchingUp: isBehind(),
    management: { baseUrl, apiKey },
    slack: workspace
      ? {
          apiUrl: workspace.apiUrl,
          botToken: workspace.botToken,
          appToken: workspace.appToken,
          signingSecret: workspace.signingSecret,
          botUrl: botUrl?.() ?? null,
        }
      : null,
    bot: { running: processes > 0, processes },
    living: management.isLive(),
    faults: wire.faults(),
  };
}
