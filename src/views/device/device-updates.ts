/** Where a device gets its updates, what waits, and what was put off. */
import type { AutoUpdate, Deferrals, DeviceWsus, UpdateSource } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { fields } from '../kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whenOr } from '../kit/when.ts';
import { count, known, listed, yesNo } from '../words.ts';
import type { PageContent } from './device-pages.ts';

export function updates(device: Device): PageContent {
  const { detail, deferrals, pendingPatches, patches } = device;
  return {
    sum:
      pendingPatches === null
        ? md`pending patches not stated`
        : count(pendingPatches, 'pending patch', 'pending patches'),
    body: fields([
      { label: 'Pending patches (required by policies)', value: number(pendingPatches) },
      { label: 'Available patches (all)', value: number(patches) },
      { label: 'Next patch time (per the management service)', value: whenOr(device.nextPatchTime, 'Not stated') },
      { label: 'Reboot required', value: yesNo(device.needsReboot) },
      {
        label: 'Last scan',
        value: md`${whenOr(device.lastRefreshTime, 'Not stated')}${device.lastScanFailed === true ? md` (failed)` : md``}`,
      },
      { label: 'Last update', value: whenOr(device.lastUpdateTime, 'Not stated') },
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

function number(value: number | null): Mrkdwn {
  return value === null ? md`Not stated` : md`${value}`;
}

function wsus(given: DeviceWsus | null): Mrkdwn {
  if (given === null) return md`Not stated`;
  const { managed, server, reachable } = given;
  const use = managed === null ? md`Use not stated` : managed ? md`In use` : md`Not in use`;
  const name = server === null || server === '' ? md`` : md`, server ${literal(server)}`;
  const reach = reachable === null ? md`` : reachable ? md`, reachable` : md`, *not reachable*`;
  return md`${use}${name}${reach}`;
}

function automatic(given: AutoUpdate | null): Mrkdwn {
  if (given === null) return md`Not stated`;
  const state = given.enabled === null ? 'Not stated' : given.enabled ? 'On' : 'Off';
  const options = given.options.filter((option) => option.toLowerCase() !== state.toLowerCase());
  return options.length === 0 ? trusted(state) : md`${trusted(state)} (${listed(options, 5)})`;
}

function source(given: UpdateSource | null): Mrkdwn {
  if (given === null) return md`Not stated`;
  const { connected, error } = given;
  const state = connected === null ? md`Not stated` : connected ? md`Connected` : md`*Not connected*`;
  return error === null || error === '' ? state : md`${state}: ${literal(error, SHOWN.sentence / 2)}`;
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

function putOff({ times, notifications, byUser, byNotification }: Waits): Mrkdwn {
  const parts = [
    byUser === true ? md`By the user` : null,
    byNotification === true ? md`Until a notification is answered` : null,
    times === null ? null : count(times, 'time'),
    notifications === null ? null : md`${count(notifications, 'notification')} sent`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? known(null) : joined(parts, ', ');
}
