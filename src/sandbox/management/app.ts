/** The service's HTTP face: who may ask, for which organization, and which endpoint answers. */
import { Hono, type MiddlewareHandler } from 'hono';
import { readText, type WithText } from './body.ts';
import { forbidden, invalid, notFound, plain } from './endpoints/answer.ts';
import type { Service } from './endpoints/service.ts';
import { onlyWithKey } from './keys.ts';
import { addRoutes } from './routes.ts';

/** Every endpoint stands in `routes`; another method of the same path is 405. */
export function createApp(service: Service): Hono<WithText> {
  const app = new Hono<WithText>({ strict: false });
  app.use(onlyWithKey, readText);
  addRoutes(app, service, {
    assumed: organization(service, 'assumed'),
    required: organization(service, 'required'),
  });
  for (const path of new Set(app.routes.map((route) => route.path)))
    if (path !== '/*') app.all(path, () => plain(405, 'Method Not Allowed'));
  app.notFound(notFound);
  app.onError(() => plain(500, 'Server Error'));
  return app;
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
