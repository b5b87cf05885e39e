/**
 * Only programs on this machine and the sandbox's own page may use it. A foreign web page in the same browser may not,
 * neither with its own requests nor through a host name that resolves to this machine.
 */
import { createMiddleware } from 'hono/factory';
import { badRequestAnswer } from './validation.ts';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

export const loopbackOnly = createMiddleware(async (context, next) => {
  const host = context.req.header('host') ?? '';
  if (!LOOPBACK.test(host)) {
    return context.json(badRequestAnswer('the sandbox answers on 127.0.0.1 and localhost only'), 403);
  }
  const origin = context.req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return context.json(badRequestAnswer('the sandbox rejects requests from other sites'), 403);
  }
  return next();
});
