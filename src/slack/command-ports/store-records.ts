/** Stored records for the commands that show them; links come from Slack. */
import type { RecordsReader } from '../../commands/core/command.ts';
import type { Store } from '../../store/port/store.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type RecordsOptions = {
  readonly store: Pick<Store, 'approvals' | 'operations' | 'audit' | 'cards' | 'pause'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
};

/** Reads only. */
export function createRecordsReader({ store, web }: RecordsOptions): RecordsReader {
  return {
    approvals: store.approvals.list,
    operations: store.operations.recent,
    operation: store.operations.get,
    async byRequestKey(requestKey) {
      const approval = await store.approvals.byRequest(requestKey);
      if (approval !== null) return { kind: 'approval', approval };
      const operation = await store.operations.byRequest(requestKey);
      return operation && { kind: 'operation', operation };
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
