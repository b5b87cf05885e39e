/**
 * The wire between the bot and the services: every request of the bot is recorded in the journal and may be hit by a
 * fault. The services know of neither.
 */
import type { Clock } from '../../lib/clock.ts';
import type { Wire } from '../contracts/services.ts';
import { foreignCaller } from '../foreign-caller.ts';
import { createFaultList } from './faults.ts';
import { createJournal, journalPath } from './journal.ts';
import { listenOnLoopback } from './listen.ts';
import { mountPaths } from './mounted-paths.ts';
import { type RecordRequest, requestListener, upgradeListener } from './request-path.ts';

/** A wire with an empty journal and no faults. */
export function createWire({ clock }: { readonly clock: Pick<Clock, 'now'> }): Wire {
  const journal = createJournal();
  const faults = createFaultList();

  /** Ends the delays of late requests: after a reset, nothing from before may happen. */
  let epoch = new AbortController();

  const receive: RecordRequest = (service, incoming) => {
    const method = incoming.method ?? 'GET';
    const path = journalPath(service, incoming.url ?? '/');
    const fault = faults.takeFor(service, `${method} ${path}`);
    const met = fault === undefined ? {} : { fault: fault.kind };
    const entry = journal.note({ at: clock.now(), service, method, path, ...met });
    return { entry, fault, clock, epoch: epoch.signal };
  };

  return {
    journal: journal.entries,
    requests: journal.total,
    inject: faults.add,
    faults: faults.active,
    clearFaults: faults.clear,
    reset() {
      epoch.abort();
      epoch = new AbortController();
      journal.clear();
      faults.clear();
    },
    serve: (options) =>
      listenOnLoopback((server) => {
        const listener = requestListener(options, receive);
        const mounted = options.mount === undefined ? listener : mountPaths(options.mount, listener);
        const upgrade = upgradeListener(options, receive);
        server.on('request', (incoming, outgoing) => {
          const { host, origin } = incoming.headers;
          const why = foreignCaller(host, origin);
          if (why === null) mounted(incoming, outgoing);
          else outgoing.writeHead(403).end(why);
        });
        server.on('upgrade', (incoming, socket, head) => {
          const { host, origin } = incoming.headers;
          if (foreignCaller(host, origin) === null) upgrade(incoming, socket, head);
          else socket.destroy();
        });
      }, options.port),
  };
}
