/** Changes subscriptions, silences and acknowledgements. */
import type { AlertSettingChanges } from '../store/port/alert-changes.ts';
import type { Store } from '../store/port/store.ts';
import { createAlertAcknowledgement } from './acknowledgements.ts';
import { type AuditedChangeOptions, createAuditedChange } from './audited-change.ts';
import type { AlertChannels } from './routing.ts';
import { createSilenceChanges, type SilenceChanges } from './silences.ts';
import { createSubscriptionChanges } from './subscriptions.ts';

export type AlertService = AlertSettingChanges & Pick<SilenceChanges, 'endSilence'>;

export type AlertServiceOptions = AuditedChangeOptions & {
  readonly store: Store;
  /** Channels of the configuration file: a silence of all their alerts is announced there. */
  readonly channels: AlertChannels;
};

/** All changes of alert settings. Each throws what the store throws. */
export function createAlertService({ store, channels, ...options }: AlertServiceOptions): AlertService {
  const auditedChange = createAuditedChange({ ...options, store });
  return {
    ...createSubscriptionChanges(auditedChange),
    ...createSilenceChanges({ ...auditedChange, store, channels }),
    ...createAlertAcknowledgement(auditedChange),
  };
}
