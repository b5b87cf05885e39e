/** The page of a device's updates: pending and available patches, update sources and deferrals. */
import type { AutoUpdate, Deferrals, Device, DeviceWsus, UpdateSource } from '../../fleet/model/resources.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { whenAgo } from '../kit/timestamps.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import {
  statedFields,
  statedNumber,
  statedParts,
  statedText,
  statedTime,
  statedYesNo,
} from '../text/stated-facts.ts';
import { lastScan } from './device-card.ts';
import type { PageContent } from './page-content.ts';

export function updatesPage(device: Device): PageContent {
  const { detail, deferrals, pendingPatches, patches } = device;
  return {
    summary:
      pendingPatches === null
        ? md`pending patches not reported`
        : countText(pendingPatches, 'pending patch', 'pending patches'),
    body: statedFields([
      { label: 'Pending patches (required by policies)', value: statedNumber(pendingPatches) },
      { label: 'Available patches (including ignored or deferred)', value: statedNumber(patches) },
      { label: 'Next patch time (per the management service)', value: statedTime(device.nextPatchTime) },
      { label: 'Reboot required', value: statedYesNo(device.needsReboot) },
      { label: 'Last scan', value: lastScan(device) },
      {
        label: 'Last update',
        value: device.lastUpdateTime === null ? null : whenAgo(device.lastUpdateTime),
      },
      { label: 'WSUS', value: wsusText(detail === null ? null : detail.wsus) },
      {
        label: 'Automatic OS updates',
        value: automaticText(detail === null ? null : detail.autoUpdate),
      },
      { label: 'Update source', value: sourceText(detail === null ? null : detail.updateSource) },
      { label: 'Patches deferred', value: deferralText(patchDeferrals(deferrals)) },
      { label: 'Reboot deferred', value: deferralText(rebootDeferrals(deferrals)) },
    ]),
  };
}

function wsusText(config: DeviceWsus | null): Mrkdwn | null {
  if (config === null) return null;
  const { managed, server, reachable } = config;
  const name = statedText(server);
  return statedParts(
    managed === null ? null : managed ? md`In use` : md`Not in use`,
    name === null ? null : md`server ${name}`,
    reachable === null ? null : reachable ? md`reachable` : md`*not reachable*`,
  );
}

function automaticText(setting: AutoUpdate | null): Mrkdwn | null {
  if (setting === null) return null;
  const state = setting.enabled === null ? null : setting.enabled ? 'On' : 'Off';
  const options = setting.options.filter((option) => option.toLowerCase() !== state?.toLowerCase());
  const chosen = options.length === 0 ? null : listMrkdwn(options, 5);
  if (state === null || chosen === null) return state === null ? chosen : trustedMrkdwn(state);
  return md`${trustedMrkdwn(state)} (${chosen})`;
}

function sourceText(updateSource: UpdateSource | null): Mrkdwn | null {
  if (updateSource === null) return null;
  const { connected } = updateSource;
  const state = connected === null ? null : connected ? md`Connected` : md`*Not connected*`;
  const error = statedText(updateSource.error, DISPLAY_LIMIT.sentence / 2);
  if (state === null || error === null) return state ?? error;
  return md`${state} (${error})`;
}

type DeferralCounts = {
  readonly times: number | null;
  readonly notifications: number | null;
  readonly byUser: boolean | null;
  readonly byNotification: boolean | null;
};

function patchDeferrals(deferrals: Deferrals): DeferralCounts {
  return {
    times: deferrals.patchDeferrals,
    notifications: deferrals.notifications,
    byUser: deferrals.delayedByUser,
    byNotification: deferrals.delayedByNotification,
  };
}

function rebootDeferrals(deferrals: Deferrals): DeferralCounts {
  return {
    times: deferrals.rebootDeferrals,
    notifications: deferrals.rebootNotifications,
    byUser: deferrals.rebootDelayedByUser,
    byNotification: deferrals.rebootDelayedByNotification,
  };
}

function deferralText({ times, notifications, byUser, byNotification }: DeferralCounts): Mrkdwn | null {
  return statedParts(
    byUser === true ? md`by the user` : null,
    byNotification === true ? md`until a notification is answered` : null,
    times === null ? null : countText(times, 'time'),
    notifications === null ? null : md`${countText(notifications, 'notification')} sent`,
  );
}
