/** Two handlers on one address: requests below a root go to the service, all others bypass journal and faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Mount } from '../contracts/services.ts';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Passes requests below the root to `inner`, without the root in their path, and the others to `beside`. */
export function mountPaths({ root, beside }: Mount, inner: Listener): Listener {
  const other = getRequestListener(beside, { overrideGlobalObjects: false });
  return (incoming, outgoing) => {
    const below = pathBelow(root, incoming.url ?? '/');
    if (below === undefined) {
      void other(incoming, outgoing);
      return;
    }
    incoming.url = below;
    inner(incoming, outgoing);
  };
}

/** `/api/servers?o=1` below `/api` is `/servers?o=1`; `/apis` is not below it. */
function pathBelow(root: string, url: string): string | undefined {
  if (!url.startsWith(root)) return undefined;
  const rest = url.slice(root.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
