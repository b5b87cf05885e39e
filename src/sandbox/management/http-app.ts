/** The service's HTTP layer: keys, organization, routing. */
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { parseJson } from '../parse-json.ts';
import { deleteDevice, getServer, listServers, startBatch, updateDevice } from './endpoints/devices.ts';
import { listEvents, listOrganizations } from './endpoints/events.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './endpoints/groups.ts';
import { listFleetPackages, listPackages } from './endpoints/packages.ts';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  runPolicyAction,
  updatePolicy,
} from './endpoints/policies.ts';
import { listPolicyStats } from './endpoints/policy-stats-endpoint.ts';
import { previewFilters } from './endpoints/preview.ts';
import { issueCommand, listQueue, readQueueEntry } from './endpoints/queues.ts';
import {
  type EndpointContext,
  forbiddenResponse,
  invalidResponse,
  notFoundResponse,
  plainErrorResponse,
  problemResponse,
  unauthorizedResponse,
} from './endpoints/requests.ts';

/** Every endpoint is in `routes`; another method on the same path is 405. */
export function createManagementApp(service: EndpointContext): Hono<WithBodyText> {
  const app = new Hono<WithBodyText>({ strict: false });
  app.use(requireKey, readBodyText);
  addRoutes(app, service, {
    assumed: requireOrganization(service, 'assumed'),
    required: requireOrganization(service, 'required'),
  });
  for (const path of new Set(app.routes.map((route) => route.path)))
    if (path !== '/*') app.all(path, () => plainErrorResponse(405, 'Method Not Allowed'));
  app.notFound(notFoundResponse);
  app.onError(() => plainErrorResponse(500, 'Server Error'));
  return app;
}

/** `o`; as documented only `/servers` and `/events` default to the key's organization (§5), live every endpoint does. */
function requireOrganization(service: EndpointContext, absent: 'assumed' | 'required'): MiddlewareHandler {
  return async (c, next) => {
    const o = c.req.query('o');
    if (o === undefined) {
      return absent === 'assumed' || service.profile.assumedOrganization
        ? next()
        : invalidResponse({ o: ['The o field is required.'] });
    }
    if (!/^\d{1,15}$/.test(o)) return invalidResponse({ o: ['The o must be an integer.'] });
    return Number(o) === service.world().state.organizationId ? next() : forbiddenResponse();
  };
}

/** The routes of all endpoints. Their order matters: a literal path comes before one with an id in the same place. */

/** What happens to a request without `o`: the key's organization is assumed, or it is refused. */
type OrganizationCheck = Readonly<Record<'assumed' | 'required', MiddlewareHandler>>;

function addRoutes(app: Hono<WithBodyText>, service: EndpointContext, organization: OrganizationCheck): void {
  addServers(app, service, organization);
  app.get('/events', organization.assumed, (c) => listEvents(service, queryOfRequest(c)));
  addGroups(app, service, organization.required);
  addPolicies(app, service, organization.required);
  app.get('/policystats', organization.required, () =>
    service.profile.policyStats ? listPolicyStats(service) : notFoundResponse(),
  );
  app.get('/orgs', (c) => listOrganizations(service, queryOfRequest(c)));
  app.get('/orgs/:id/packages', organization.required, (c) =>
    service.profile.fleetPackages
      ? listFleetPackages(service, idOfRequest(c), queryOfRequest(c))
      : notFoundResponse(),
  );
  app.all('/global/*', (c) => (service.profile.newerServices ? notImplemented(c) : notFoundResponse()));
}

function addServers(
  app: Hono<WithBodyText>,
  service: EndpointContext,
  { assumed, required }: OrganizationCheck,
): void {
  app.get('/servers', assumed, (c) => listServers(service, queryOfRequest(c)));
  app.post('/servers/batch', required, (c) =>
    service.profile.batch ? startBatch(service, c.get('text')) : notFoundResponse(),
  );
  app.get('/servers/:id', required, (c) => getServer(service, idOfRequest(c), queryOfRequest(c)));
  app.put('/servers/:id', required, (c) =>
    updateDevice(service, idOfRequest(c), {
      params: queryOfRequest(c),
      type: c.req.header('content-type'),
      text: c.get('text'),
    }),
  );
  app.delete('/servers/:id', required, (c) => deleteDevice(service, idOfRequest(c)));
  app.get('/servers/:id/packages', required, (c) => listPackages(service, idOfRequest(c), queryOfRequest(c)));
  app.get('/servers/:id/queues', required, (c) => listQueue(service, idOfRequest(c)));
  app.get('/servers/:id/queues/:entry', required, (c) =>
    readQueueEntry(service, idOfRequest(c), c.req.param('entry')),
  );
  app.post('/servers/:id/queues', required, (c) => issueCommand(service, idOfRequest(c), c.get('text')));
}

function addGroups(app: Hono<WithBodyText>, service: EndpointContext, required: MiddlewareHandler): void {
  app.get('/servergroups', required, (c) => listGroups(service, queryOfRequest(c)));
  app.post('/servergroups', required, (c) => createGroup(service, c.get('text')));
  app.get('/servergroups/:id', required, (c) => getGroup(service, idOfRequest(c)));
  app.put('/servergroups/:id', required, (c) => updateGroup(service, idOfRequest(c), c.get('text')));
  app.delete('/servergroups/:id', required, (c) => deleteGroup(service, idOfRequest(c)));
}

function addPolicies(app: Hono<WithBodyText>, service: EndpointContext, required: MiddlewareHandler): void {
  app.get('/policies', required, (c) => listPolicies(service, queryOfRequest(c)));
  app.post('/policies', required, (c) => createPolicy(service, c.get('text')));
  app.post('/policies/device-filters-preview', required, (c) =>
    previewFilters(service, queryOfRequest(c), c.get('text')),
  );
  app.get('/policies/:id', required, (c) => getPolicy(service, idOfRequest(c)));
  app.put('/policies/:id', required, (c) => updatePolicy(service, idOfRequest(c), c.get('text')));
  app.delete('/policies/:id', required, (c) => deletePolicy(service, idOfRequest(c)));
  app.post('/policies/:id/action', required, (c) =>
    service.profile.policyActions
      ? runPolicyAction(service, idOfRequest(c), { params: queryOfRequest(c), text: c.get('text') })
      : notFoundResponse(),
  );
}

/** Newer services have their own error shape; this one is not available to the key of one organization. */
function notImplemented(c: Context): Response {
  return problemResponse(
    403,
    'Forbidden',
    'Insufficient permissions for this operation',
    `/api${c.req.path}`,
  );
}

function queryOfRequest(c: Context): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

function idOfRequest(c: Context): string | undefined {
  return c.req.param('id');
}

/** The keys of the local service and their rights. */

/** No secrets: they open nothing but this sandbox. */
export const KEYS = {
  full: 'sandbox-management-key',
  /** Reads everything and writes nothing. */
  readOnly: 'sandbox-management-read-only-key',
  /** Answered like an unknown key: the service does not tell them apart (in practice 2.2). */
  expired: 'sandbox-management-expired-key',
} as const;

type AccessRight = 'write' | 'read' | 'none';

/** The rights that an `Authorization` header gives. */
function accessRightOf(authorization: string | undefined): AccessRight {
  if (authorization === `Bearer ${KEYS.full}`) return 'write';
  return authorization === `Bearer ${KEYS.readOnly}` ? 'read' : 'none';
}

/** POST only because it has a body; it changes nothing (§4.2). */
const PREVIEW = '/policies/device-filters-preview';

function isWrite(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !(method === 'POST' && path.replace(/\/$/, '') === PREVIEW);
}

/**
 * Checks the key first (§5): 401 without a valid one, 403 for a write with the read-only key. A key in the query worked
 * years ago; here it is refused even beside a valid header, because addresses are logged (in practice 2.5).
 */
const requireKey: MiddlewareHandler = async (c, next) => {
  const right = c.req.query('api_key') === undefined ? accessRightOf(c.req.header('authorization')) : 'none';
  if (right === 'none') return unauthorizedResponse();
  if (right === 'read' && isWrite(c.req.method, c.req.path)) return forbiddenResponse();
  return next();
};

/** Reads the body of each request once, up to a limit, for the endpoints to parse. */

const BODY_MAX_BYTES = 64 * 1_024;

/** `text` is the body as JSON, empty where there is none. */
type WithBodyText = { Variables: { text: string } };

/** 413 beyond the limit, whether the length was declared or not. */
const readBodyText: MiddlewareHandler<WithBodyText> = async (c, next) => {
  const announced = Number(c.req.header('content-length') ?? 0);
  const text = announced > BODY_MAX_BYTES ? undefined : await textOf(c.req.raw.body);
  if (text === undefined) return plainErrorResponse(413, 'Payload Too Large');
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  c.set('text', isForm && parseJson(text) === undefined ? formAsJson(text) : text);
  return next();
};

/**
 * A form body names the same fields: a public client creates groups and sends commands so (demisto/content,
 * Packs/Automox, Automox.py, tested in 2022-03 with the live service). Empty fields are null.
 */
function formAsJson(text: string): string {
  const fields = [...new URLSearchParams(text)].map(([name, value]) => [name, value === '' ? null : value]);
  return JSON.stringify(Object.fromEntries(fields));
}

/** Undefined where it is too long; the rest is not read. */
async function textOf(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
