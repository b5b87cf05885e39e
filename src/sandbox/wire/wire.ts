/**
 * The wire between the bot and the services around it. Everything the bot asks passes here: it is written
 * into the journal and may meet a fault. The services behind know of neither.
 */
import type { Clock } from '../../clock.ts';
import type { Wire } from '../contracts.ts';
import { createFaults } from './faults.ts';
import { createJournal, shownPath } from './journal.ts';
import { listen } from './listen.ts';
import { mounted } from './mount.ts';
import { type Receive, requestListener, upgradeListener } from './passage.ts';

/** A wire with an empty journal and no faults. */
export function createWire({ clock }: { readonly clock: Pick<Clock, 'now'> }): Wire {
  const journal = createJournal();
  const faults = createFaults();

  /** Ends the waits of late requests: after a reset nothing of before may happen. */
  let epoch = new AbortController();

  const receive: Receive = (service, incoming) => {
    const method = incoming.method ?? 'GET';
    const path = shownPath(service, incoming.url ?? '/');
    const fault = faults.take(service, `${method} ${path}`);
    const met = fault === undefined ? {} : { fault: fault.kind };
    const entry = journal.note({ at: clock.now(), service, method, path, ...met });
    return { entry, fault, clock, epoch: epoch.signal };
  };

  return {
    journal: journal.entries,
    requests: journal.total,
    inject: faults.add,
    faults: faults.inForce,
    clearFaults: faults.clear,
    reset() {
      epoch.abort();
      epoch = new AbortController();
      journal.clear();
      faults.clear();
    },
    serve: (options) =>
      listen((server) => {
        const listener = requestListener(options, receive);
        server.on('request', options.mount === undefined ? listener : mounted(options.mount, listener));
        server.on('upgrade', upgradeListener(options, receive));
      }, options.port),
  };
}
