/** The service's HTTP layer: keys, organization, routing. */
import { Hono, type MiddlewareHandler } from 'hono';
import type { EndpointContext } from './endpoints/endpoint-context.ts';
import {
  forbiddenResponse,
  invalidResponse,
  notFoundResponse,
  plainErrorResponse,
} from './endpoints/responses.ts';
import { requireKey } from './keys.ts';
import { readBodyText, type WithBodyText } from './request-text.ts';
import { addRoutes } from './routes.ts';

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
