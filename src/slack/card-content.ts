/** What a card shows now: its record, drawn. */
import { approvalId, noticeId, operationId, pauseId } from '../ids.ts';
import type { CardKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { cardMetadata } from '../views/metadata.ts';
import type { CardState, View } from '../views/model.ts';
import { render } from '../views/render.ts';
import { cardState, operationState } from '../views/states.ts';
import type { CardMessage } from './web.ts';

type Shown = { readonly view: View; readonly state: CardState | 'posted' };

/** Reads the record behind `key` and draws it; null when there is none. */
export async function cardContent(store: Store, key: CardKey): Promise<CardMessage | null> {
  const shown = await readShown(store, key);
  if (shown === null) return null;
  return { ...render(shown.view), metadata: cardMetadata(key, shown.state) };
}

async function readShown(store: Store, key: CardKey): Promise<Shown | null> {
  const [kind = '', id = ''] = splitOnce(key);
  switch (kind) {
    case 'approval': {
      const approval = await store.approvals.get(approvalId(id));
      if (approval === null) return null;
      const operation =
        approval.operationId === null ? null : await store.operations.get(approval.operationId);
      return { view: { kind: 'approval', approval, operation }, state: cardState(approval, operation) };
    }
    case 'operation': {
      const operation = await store.operations.get(operationId(id));
      return operation && { view: { kind: 'operation', operation }, state: operationState(operation) };
    }
    case 'notice': {
      const notice = await store.notices.get(noticeId(id));
      return notice && { view: { kind: 'notice', notice }, state: 'posted' };
    }
    case 'pause': {
      const pause = await store.pause.get(pauseId(id));
      return pause && { view: { kind: 'pause-card', pause }, state: 'posted' };
    }
    default:
      throw new Error(`a card key of an unknown kind: ${kind}`);
  }
}

function splitOnce(key: string): readonly string[] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), key.slice(colon + 1)];
}
