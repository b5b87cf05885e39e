/** The routes of all endpoints. Their order matters: a literal path comes before one with an id in the same place. */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { startBatch } from './endpoints/batch-endpoint.ts';
import { deleteDevice, updateDevice } from './endpoints/device-edit-endpoints.ts';
import type { EndpointContext } from './endpoints/endpoint-context.ts';
import { listEvents } from './endpoints/event-endpoints.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './endpoints/group-endpoints.ts';
import { listOrganizations } from './endpoints/organization-endpoints.ts';
import { listFleetPackages, listPackages } from './endpoints/package-endpoints.ts';
import { runPolicyAction } from './endpoints/policy-action-endpoint.ts';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
} from './endpoints/policy-endpoints.ts';
import { listPolicyStats } from './endpoints/policy-stats-endpoint.ts';
import { previewFilters } from './endpoints/preview-endpoint.ts';
import { issueCommand, listQueue, readQueueEntry } from './endpoints/queue-endpoints.ts';
import { notFoundResponse, problemResponse } from './endpoints/responses.ts';
import { getServer, listServers } from './endpoints/server-endpoints.ts';
import type { WithBodyText } from './request-text.ts';

/** What happens to a request without `o`: the key's organization is assumed, or it is refused. */
export type OrganizationCheck = Readonly<Record<'assumed' | 'required', MiddlewareHandler>>;

export function addRoutes(
  app: Hono<WithBodyText>,
  service: EndpointContext,
  organization: OrganizationCheck,
): void {
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
