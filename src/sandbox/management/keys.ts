/** The keys of the local service, and what each of them opens. */
import type { MiddlewareHandler } from 'hono';
import { forbiddenResponse, unauthorizedResponse } from './endpoints/responses.ts';

/** No secrets: they open nothing but this stand-in. */
export const KEYS = {
  full: 'sandbox-management-key',
  /** Reads everything and writes nothing. */
  readOnly: 'sandbox-management-read-only-key',
  /** Answered like a key that never was: the service does not tell them apart (in practice 2.2). */
  expired: 'sandbox-management-expired-key',
} as const;

type AccessRight = 'write' | 'read' | 'none';

/** What the value of an `Authorization` header allows. */
function accessRightOf(authorization: string | undefined): AccessRight {
  if (authorization === `Bearer ${KEYS.full}`) return 'write';
  return authorization === `Bearer ${KEYS.readOnly}` ? 'read' : 'none';
}

/** Asked by POST because of its body; it changes nothing (§4.2). */
const PREVIEW = '/policies/device-filters-preview';

function isWrite(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !(method === 'POST' && path.replace(/\/$/, '') === PREVIEW);
}

/**
 * Lets in who brings a key (§5): 401 without a good one, 403 for a write with the read-only key, before anything else
 * is looked at. A key in the query was taken years ago; here it is refused even beside a good header, because
 * addresses are written into logs (in practice 2.5).
 */
export const requireKey: MiddlewareHandler = async (c, next) => {
  const right = c.req.query('api_key') === undefined ? accessRightOf(c.req.header('authorization')) : 'none';
  if (right === 'none') return unauthorizedResponse();
  if (right === 'read' && isWrite(c.req.method, c.req.path)) return forbiddenResponse();
  return next();
};
