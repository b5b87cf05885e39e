/** What can be requested again of a rollout that ended: exactly the devices on which it did not work. */
import { countIn, type RequestRecord } from '../../../store/port/request-records.ts';
import { type Button, button } from '../../kit/blocks.ts';
import { writeButtonValue } from '../../kit/button-value.ts';
import type { RetrySet } from '../../models/rendered-model.ts';
import { failedCount } from './rollout-label.ts';

type Ended = Pick<RequestRecord, 'id' | 'counts'>;

export function retryButtons({ id, counts }: Ended): readonly (Button | null)[] {
  return [
    retryButton(id, 'failed', failedCount(counts)),
    retryButton(id, 'not-sent', countIn(counts, ['not_sent'])),
  ];
}

const LABELS: Readonly<Record<RetrySet, string>> = {
  failed: 'Retry on the failed devices',
  'not-sent': 'Request again for those not sent',
};

/** Null for no devices. */
export function retryButton(request: RequestRecord['id'], of: RetrySet, devices: number): Button | null {
  if (devices === 0) return null;
  const value = writeButtonValue({ do: 'retry', request, of });
  return value === null
    ? null
    : button({ action: `retry:${of}`, label: `${LABELS[of]} (${devices})`, value });
}
