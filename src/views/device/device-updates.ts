/** Where a device gets its updates, what waits, and what was put off. */
import type { AutoUpdate, Deferrals, DeviceWsus, UpdateSource } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { type Mrkdwn, md, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whenAgo } from '../kit/when.ts';
import { statedFields, statedNumber, statedParts, statedText, statedTime, statedYesNo } from '../stated.ts';
import { count, listed } from '../words.ts';
import { lastScan } from './device.ts';
import type { PageContent } from './device-pages.ts';

export function updates(device: Device): PageContent {
  const { detail, deferrals, pendingPatches, patches } = device;
  return {
    sum:
      pendingPatches === null
        ? md`pending patches not reported`
        : count(pendingPatches, 'pending patch', 'pending patches'),
    body: statedFields([
      { label: 'Pending patches (required by policies)', value: statedNumber(pendingPatches) },
      { label: 'Available patches (all)', value: statedNumber(patches) },
      { label: 'Next patch time (per the management service)', value: statedTime(device.nextPatchTime) },
      { label: 'Reboot required', value: statedYesNo(device.needsReboot) },
      { label: 'Last scan', value: lastScan(device) },
      {
        label: 'Last update',
        value: device.lastUpdateTime === null ? null : whenAgo(device.lastUpdateTime),
      },
      { label: 'WSUS', value: wsus(detail === null ? null : detail.wsus) },
      {
        label: 'Automatic OS updates',
        value: automatic(detail === null ? null : detail.autoUpdate),
      },
      { label: 'Update source', value: source(detail === null ? null : detail.updateSource) },
      { label: 'Patches deferred', value: putOff(patchWaits(deferrals)) },
      { label: 'Reboot deferred', value: putOff(rebootWaits(deferrals)) },
    ]),
  };
}

function wsus(given: DeviceWsus | null): Mrkdwn | null {
  if (given === null) return null;
  const { managed, server, reachable } = given;
  const name = statedText(server);
  return statedParts(
    managed === null ? null : managed ? md`In use` : md`Not in use`,
    name === null ? null : md`server ${name}`,
    reachable === null ? null : reachable ? md`reachable` : md`*not reachable*`,
  );
}

function automatic(given: AutoUpdate | null): Mrkdwn | null {
  if (given === null) return null;
  const state = given.enabled === null ? null : given.enabled ? 'On' : 'Off';
  const options = given.options.filter((option) => option.toLowerCase() !== state?.toLowerCase());
  const chosen = options.length === 0 ? null : listed(options, 5);
  if (state === null || chosen === null) return state === null ? chosen : trusted(state);
  return md`${trusted(state)} (${chosen})`;
}

function source(given: UpdateSource | null): Mrkdwn | null {
  if (given === null) return null;
  const { connected } = given;
  const state = connected === null ? null : connected ? md`Connected` : md`*Not connected*`;
  const error = statedText(given.error, SHOWN.sentence / 2);
  if (state === null || error === null) return state ?? error;
  return md`${state} (${error})`;
}

type Waits = {
  readonly times: number | null;
  readonly notifications: number | null;
  readonly byUser: boolean | null;
  readonly byNotification: boolean | null;
};

function patchWaits(given: Deferrals): Waits {
  return {
    times: given.patchDeferrals,
    notifications: given.notifications,
    byUser: given.delayedByUser,
    byNotification: given.delayedByNotification,
  };
}

function rebootWaits(given: Deferrals): Waits {
  return {
    times: given.rebootDeferrals,
    notifications: given.rebootNotifications,
    byUser: given.rebootDelayedByUser,
    byNotification: given.rebootDelayedByNotification,
  };
}

function putOff({ times, notifications, byUser, byNotification }: Waits): Mrkdwn | null {
  return statedParts(
    byUser === true ? md`by the user` : null,
    byNotification === true ? md`until a notification is answered` : null,
    times === null ? null : count(times, 'time'),
    notifications === null ? null : md`${count(notifications, 'notification')} sent`,
  );
}
