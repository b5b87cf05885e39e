/** Reads Patchbay's own records for commands. Links come from Slack. */
import type { RecordsReader } from '../../commands/core/command.ts';
import type { Clock } from '../../lib/clock.ts';
import { withOfflineCounts } from '../../requests/decide/waits-offline.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets, requestWithTargets, withTargets } from '../../store/requests-with-targets.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type RecordsOptions = {
  readonly store: Pick<Store, 'requests' | 'targets' | 'audit' | 'cards' | 'pause'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
};

/** A reader of the store without its writes. */
export function createRecordsReader({ store, web, clock }: RecordsOptions): RecordsReader {
  return {
    requests: async (filter, limit) => {
      const found = await requestsWithTargets(store, filter, limit);
      return withOfflineCounts(store, found, clock.now());
    },
    request: (id) => requestWithTargets(store, id, null),
    shownRequest: (id) => requestWithTargets(store, id),
    targets: store.targets.of,
    async byRequestKey(requestKey) {
      const request = await store.requests.byRequestKey(requestKey);
      return request && withTargets(store, request);
    },
    audit: store.audit.latest,
    pause: store.pause.current,
    async cardLink(key) {
      const card = await store.cards.get(key);
      if (card === null || card.postedChannel === null || card.ts === null) return null;
      return web.permalink({ channel: card.postedChannel, ts: card.ts });
    },
  };
}
