/** The service's HTTP layer: keys, bodies, organization, and the table of its routes. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Clock } from '../../lib/clock.ts';
import { deleteDevice, getServer, listServers, startBatch, updateDevice } from './endpoints/devices.ts';
import { listEvents, listOrganizations } from './endpoints/events.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './endpoints/groups.ts';
import { listFleetPackages, listPackages } from './endpoints/packages.ts';
import {
  createPolicy,
  getPolicy,
  listPolicies,
  runPolicyAction,
  updatePolicy,
} from './endpoints/policies.ts';
import { previewFilters } from './endpoints/preview.ts';
import { issueCommand, listQueue, readQueueEntry } from './endpoints/queues.ts';
import {
  type Call,
  forbidden,
  invalid,
  notFoundResponse,
  plainErrorResponse,
  Refusal,
} from './endpoints/requests.ts';
import type { Profile } from './profiles.ts';
import type { RunningWorld } from './world/running-world.ts';

type Route = {
  readonly on: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly answer: (call: Call) => Response;
  /** What happens without `o`: it is required, or assumed from the key (§5); `ignored` where it is no parameter. */
  readonly organization?: 'assumed' | 'ignored';
  /** The difference of profiles that says whether it is there. */
  readonly only?: 'batch' | 'fleetPackages' | 'policyActions';
};

/** A literal path comes before one with an id in the same place. */
const ROUTES: readonly Route[] = [
  { on: 'GET /servers', answer: listServers, organization: 'assumed' },
  { on: 'POST /servers/batch', answer: startBatch, only: 'batch' },
  { on: 'GET /servers/:id', answer: getServer },
  { on: 'PUT /servers/:id', answer: updateDevice },
  { on: 'DELETE /servers/:id', answer: deleteDevice },
  { on: 'GET /servers/:id/packages', answer: listPackages },
  { on: 'GET /servers/:id/queues', answer: listQueue },
  { on: 'POST /servers/:id/queues', answer: issueCommand },
  { on: 'GET /servers/:id/queues/:entry', answer: readQueueEntry },
  { on: 'GET /events', answer: listEvents, organization: 'assumed' },
  { on: 'GET /servergroups', answer: listGroups },
  { on: 'POST /servergroups', answer: createGroup },
  { on: 'GET /servergroups/:id', answer: getGroup },
  { on: 'PUT /servergroups/:id', answer: updateGroup },
  { on: 'DELETE /servergroups/:id', answer: deleteGroup },
  { on: 'GET /policies', answer: listPolicies },
  { on: 'POST /policies', answer: createPolicy },
  { on: 'POST /policies/device-filters-preview', answer: previewFilters },
  { on: 'GET /policies/:id', answer: getPolicy },
  { on: 'PUT /policies/:id', answer: updatePolicy },
  { on: 'POST /policies/:id/action', answer: runPolicyAction, only: 'policyActions' },
  { on: 'GET /orgs', answer: listOrganizations, organization: 'ignored' },
  { on: 'GET /orgs/:id/packages', answer: listFleetPackages, only: 'fleetPackages' },
];

type ManagementParts = {
  readonly clock: Clock;
  readonly profile: Profile;
  /** Read for each request, because a reset replaces the world. */
  readonly world: () => RunningWorld;
};

export function createManagementApp({ clock, profile, world }: ManagementParts): Hono {
  const app = new Hono({ strict: false });
  app.use(requireKey);
  for (const { on, answer, organization, only } of ROUTES) {
    const [method = '', path = ''] = on.split(' ');
    app.on(method, path, async ({ req }) => {
      const text = await bodyText(req.raw);
      const { state, commands, timers } = world();
      if (organization !== 'ignored')
        checkOrganization(req.query('o'), state.organizationId, {
          assumed: organization === 'assumed' || profile.assumedOrganization,
        });
      if (only !== undefined && !profile[only]) return notFoundResponse();
      return answer({
        ...{ clock, profile, commands, timers, text, world: state, now: clock.now() },
        id: req.param('id') ?? '',
        entry: req.param('entry') ?? '',
        query: new URL(req.url).searchParams,
        contentType: req.header('content-type'),
      });
    });
  }
  for (const path of new Set(ROUTES.map(({ on }) => on.replace(/^\w+ /, ''))))
    app.all(path, () => plainErrorResponse(405, 'Method Not Allowed'));
  app.notFound(notFoundResponse);
  app.onError((error) => (error instanceof Refusal ? error.answer : plainErrorResponse(500, 'Server Error')));
  return app;
}

function checkOrganization(
  o: string | undefined,
  own: number,
  { assumed }: { readonly assumed: boolean },
): void {
  if (o === undefined && assumed) return;
  if (o === undefined) throw invalid({ o: ['The o field is required.'] });
  if (!/^\d{1,15}$/.test(o)) throw invalid({ o: ['The o must be an integer.'] });
  if (Number(o) !== own) throw forbidden();
}

/** No secrets: they open nothing but this sandbox. */
export const KEYS = {
  full: 'sandbox-management-key',
  /** Reads everything and writes nothing. */
  readOnly: 'sandbox-management-read-only-key',
  /** Answered like an unknown key: the service does not tell them apart (in practice 2.2). */
  expired: 'sandbox-management-expired-key',
} as const;

/** POST only because it has a body; it changes nothing (§4.2). */
const PREVIEW = /^\/policies\/device-filters-preview\/?$/;

/**
 * Checks the key first (§5): 401 without a valid one, 403 for a write with the read-only key. A key in the query worked
 * years ago; here it is refused even beside a valid header, because addresses are logged (in practice 2.5).
 */
const requireKey: MiddlewareHandler = async ({ req }, next) => {
  const sent = req.query('api_key') === undefined ? req.header('authorization') : undefined;
  if (sent === `Bearer ${KEYS.full}`) return next();
  if (sent !== `Bearer ${KEYS.readOnly}`) return plainErrorResponse(401, 'Unauthorized');
  const isRead = ['GET', 'HEAD'].includes(req.method) || (req.method === 'POST' && PREVIEW.test(req.path));
  return isRead ? next() : forbidden().answer;
};

const BODY_MAX_BYTES = 64 * 1_024;

/** 413 beyond the limit, whether the length was declared or not; the rest is not read. */
async function bodyText({ headers, body }: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = Number(headers.get('content-length') ?? 0) > BODY_MAX_BYTES ? Number.POSITIVE_INFINITY : 0;
  if (size === 0)
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > BODY_MAX_BYTES) break;
      chunks.push(chunk);
    }
  if (size > BODY_MAX_BYTES) throw new Refusal(plainErrorResponse(413, 'Payload Too Large'));
  return Buffer.concat(chunks).toString();
}
