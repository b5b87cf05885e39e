/** The service's HTTP face: who may ask, for which organization, and which endpoint answers. */
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { forbidden, invalid, notFound, plain } from './endpoints/answer.ts';
import { listEvents } from './endpoints/events.ts';
import { listGroups } from './endpoints/groups.ts';
import { listPackages } from './endpoints/packages.ts';
import { issueCommand, listQueue } from './endpoints/queues.ts';
import { listServers, readServer } from './endpoints/servers.ts';
import type { Service } from './endpoints/service.ts';
import { onlyWithKey } from './keys.ts';

const BODY_MAX_BYTES = 64 * 1_024;

export function createApp(service: Service): Hono {
  const app = new Hono({ strict: false });
  const assumed = organization(service, 'assumed');
  const required = organization(service, 'required');
  app.use(
    onlyWithKey,
    bodyLimit({ maxSize: BODY_MAX_BYTES, onError: () => plain(413, 'Payload Too Large') }),
  );
  app.get('/servers', assumed, (c) => listServers(service, queryOf(c)));
  app.get('/servers/:id', required, (c) => readServer(service, c.req.param('id')));
  app.get('/servers/:id/packages', required, (c) => listPackages(service, c.req.param('id'), queryOf(c)));
  app.get('/servers/:id/queues', required, (c) => listQueue(service, c.req.param('id')));
  app.post('/servers/:id/queues', required, async (c) =>
    issueCommand(service, c.req.param('id'), await c.req.text()),
  );
  app.get('/events', assumed, (c) => listEvents(service, queryOf(c)));
  app.get('/servergroups', required, (c) => listGroups(service, queryOf(c)));
  for (const { path } of [...app.routes])
    if (path !== '/*') app.all(path, () => plain(405, 'Method Not Allowed'));
  app.notFound(notFound);
  app.onError(() => plain(500, 'Server Error'));
  return app;
}

function queryOf(c: Context): URLSearchParams {
  return new URL(c.req.url).searchParams;
}

/** `o`, which only `/servers` and `/events` take from the key where it is left out (§5). */
function organization(service: Service, absent: 'assumed' | 'required'): MiddlewareHandler {
  return async (c, next) => {
    const o = c.req.query('o');
    if (o === undefined) {
      return absent === 'assumed' ? next() : invalid({ o: ['The o field is required.'] });
    }
    if (!/^\d{1,15}$/.test(o)) return invalid({ o: ['The o must be an integer.'] });
    return Number(o) === service.moving().state.organizationId ? next() : forbidden();
  };
}
