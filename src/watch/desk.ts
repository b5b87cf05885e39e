/** Changes what people want of alerts: subscriptions, silences, and who looks after what. */
import type { AlertChanges } from '../store/alert-changes.ts';
import type { Store } from '../store/store.ts';
import { createAcknowledging } from './acknowledging.ts';
import { type ChangingOptions, createChanging } from './changing.ts';
import type { AlertChannels } from './routing.ts';
import { createSilencing, type Silencing } from './silencing.ts';
import { createSubscribing } from './subscribing.ts';

export type AlertDesk = AlertChanges & Pick<Silencing, 'endSilence'>;

export type AlertDeskOptions = ChangingOptions & {
  readonly store: Store;
  /** Those of the configuration file: they are told when all of their alerts are kept. */
  readonly channels: AlertChannels;
};

export function createAlertDesk({ store, channels, ...options }: AlertDeskOptions): AlertDesk {
  const changing = createChanging({ ...options, store });
  return {
    ...createSubscribing(changing),
    ...createSilencing({ ...changing, store, channels }),
    ...createAcknowledging(changing),
  };
}
