/** Which endpoint answers what. The order counts: a word in a path stands before an id in the same place. */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { WithText } from './body.ts';
import { notFound, problem } from './endpoints/answer.ts';
import { startBatch } from './endpoints/batch.ts';
import { deleteDevice, replaceDevice } from './endpoints/device-edits.ts';
import { listEvents } from './endpoints/events.ts';
import { createGroup, deleteGroup, listGroups, readGroup, replaceGroup } from './endpoints/groups.ts';
import { listOrganizations } from './endpoints/organizations.ts';
import { listPackages } from './endpoints/packages.ts';
import { createPolicy, deletePolicy, listPolicies, readPolicy, replacePolicy } from './endpoints/policies.ts';
import { actOnPolicy } from './endpoints/policy-action.ts';
import { previewFilters } from './endpoints/preview.ts';
import { issueCommand, listQueue, readQueueEntry } from './endpoints/queues.ts';
import { listServers, readServer } from './endpoints/servers.ts';
import type { Service } from './endpoints/service.ts';

/** What becomes of a request without `o`: the organization of the key is assumed, or it is refused. */
export type Organization = Readonly<Record<'assumed' | 'required', MiddlewareHandler>>;

export function addRoutes(app: Hono<WithText>, service: Service, organization: Organization): void {
  addServers(app, service, organization);
  app.get('/events', organization.assumed, (c) => listEvents(service, queryIn(c)));
  addGroups(app, service, organization.required);
  addPolicies(app, service, organization.required);
  app.get('/orgs', (c) => listOrganizations(service, queryIn(c)));
  app.all('/global/*', (c) => (service.profile.newerServices ? closed(c) : notFound()));
}

function addServers(app: Hono<WithText>, service: Service, { assumed, required }: Organization): void {
  app.get('/servers', assumed, (c) => listServers(service, queryIn(c)));
  app.post('/servers/batch', required, (c) =>
    service.profile.batch ? startBatch(service, c.get('text')) : notFound(),
  );
  app.get('/servers/:id', required, (c) => readServer(service, idIn(c), queryIn(c)));
  app.put('/servers/:id', required, (c) =>
    replaceDevice(service, idIn(c), {
      params: queryIn(c),
      type: c.req.header('content-type'),
      text: c.get('text'),
    }),
  );
  app.delete('/servers/:id', required, (c) => deleteDevice(service, idIn(c)));
  app.get('/servers/:id/packages', required, (c) => listPackages(service, idIn(c), queryIn(c)));
  app.get('/servers/:id/queues', required, (c) => listQueue(service, idIn(c)));
  app.get('/servers/:id/queues/:entry', required, (c) =>
    readQueueEntry(service, idIn(c), c.req.param('entry')),
  );
  app.post('/servers/:id/queues', required, (c) => issueCommand(service, idIn(c), c.get('text')));
}

function addGroups(app: Hono<WithText>, service: Service, required: MiddlewareHandler): void {
  app.get('/servergroups', required, (c) => listGroups(service, queryIn(c)));
  app.post('/servergroups', required, (c) => createGroup(service, c.get('text')));
  app.get('/servergroups/:id', required, (c) => readGroup(service, idIn(c)));
  app.put('/servergroups/:id', required, (c) => replaceGroup(service, idIn(c), c.get('text')));
  app.delete('/servergroups/:id', required, (c) => deleteGroup(service, idIn(c)));
}

function addPolicies(app: Hono<WithText>, service: Service, required: MiddlewareHandler): void {
  app.get('/policies', required, (c) => listPolicies(service, queryIn(c)));
  app.post('/policies', required, (c) => createPolicy(service, c.get('text')));
  app.post('/policies/device-filters-preview', required, (c) =>
    previewFilters(service, queryIn(c), c.get('text')),
  );
  app.get('/policies/:id', required, (c) => readPolicy(service, idIn(c)));
  app.put('/policies/:id', required, (c) => replacePolicy(service, idIn(c), c.get('text')));
  app.delete('/policies/:id', required, (c) => deletePolicy(service, idIn(c)));
  app.post('/policies/:id/action', required, (c) =>
    service.profile.policyActions ? actOnPolicy(service, idIn(c), c.get('text')) : notFound(),
  );
}

/** Newer services answer in a shape of their own; this one is not for the key of one organization. */
function closed(c: Context): Response {
  return problem(403, 'Forbidden', 'Insufficient permissions for this operation', `/api${c.req.path}`);
}

function queryIn(c: Context): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

function idIn(c: Context): string | undefined {
  return c.req.param('id');
}
