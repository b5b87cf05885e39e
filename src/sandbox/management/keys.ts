/** The keys of the local service and their rights. */
import type { MiddlewareHandler } from 'hono';
import { forbiddenResponse, unauthorizedResponse } from './endpoints/responses.ts';

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
export const requireKey: MiddlewareHandler = async (c, next) => {
  const right = c.req.query('api_key') === undefined ? accessRightOf(c.req.header('authorization')) : 'none';
  if (right === 'none') return unauthorizedResponse();
  if (right === 'read' && isWrite(c.req.method, c.req.path)) return forbiddenResponse();
  return next();
};
