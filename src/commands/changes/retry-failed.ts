/** A finished change once more for exactly the devices on which it failed: a form that is filled in. Pure. */
import { changesRecord } from '../../fleet/model/actions.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { AlertRecord } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { CommandChoice } from '../../views/models/report-model.ts';
import { commandOf, inputOf } from './request-again.ts';

/**
 * The form for the devices of a request on which it was not carried out, or not proven to be; null where there is none.
 * What is unknown is among them: the person sees it on the card, and the device is read again before anything is sent.
 */
export function retryOfRequest(
  { action, reason }: Pick<RequestRecord, 'action' | 'reason'>,
  targets: readonly Pick<RequestTarget, 'deviceId' | 'state'>[],
): CommandChoice | null {
  if (changesRecord(action) && action.kind !== 'device-edit') return null;
  const failed = targets.flatMap(({ deviceId, state }) =>
    deviceId !== null && RETRIED.some((known) => known === state) ? deviceId : [],
  );
  const [first] = failed;
  if (first === undefined) return null;
  const { device: _, ...rest } = { device: null, ...inputOf(action, first, failed.length > 1) };
  return { command: commandOf(action), input: { ...rest, ...devicesInput(failed), reason } };
}

const RETRIED: readonly RequestTarget['state'][] = ['not_verified', 'refused', 'not_sent', 'unknown'];

/** The form that patches the devices of these alerts; null where they name none. */
export function retryOfAlerts(alerts: readonly Pick<AlertRecord, 'deviceId'>[]): CommandChoice | null {
  const failed = alerts.flatMap(({ deviceId }) => deviceId ?? []);
  if (failed.length === 0) return null;
  return { command: 'patch', input: { ...devicesInput(failed), packages: [], severities: [] } };
}

/** As they would be typed: `#1, #2`. */
function devicesInput(devices: readonly DeviceId[]) {
  return { device: [...new Set(devices)].map((id) => `#${id}`).join(', ') };
}
