/** The devices of an alert card: of all its alerts as they are stored, also of those that the card does not name. */
import { z } from 'zod';
import { alertId, channelId } from '../../../lib/ids.ts';
import type { AlertRecord } from '../../../store/port/records.ts';
import type { FindSeenDevices } from './seen-devices-form.ts';

const input = z.looseObject({
  alerts: z.object({ card: z.string().transform(alertId), channel: z.string().transform(channelId) }),
});

/** Alerts read at once. */
const PAGE = 500;

/** Null where the button is not that of a card with several alerts. */
export const alertedDevices: FindSeenDevices = async (typed, { settings, clock }) => {
  const read = input.safeParse(typed);
  if (!read.success) return null;
  // Alerts that are added meanwhile would move the pages.
  const query = { of: 'card', ...read.data.alerts, until: clock.now() } as const;
  const alerts: AlertRecord[] = [];
  for (;;) {
    const { rows, total } = await settings.alerts.list(query, { limit: PAGE, skip: alerts.length });
    alerts.push(...rows);
    if (rows.length === 0 || alerts.length >= total) break;
  }
  const names = new Map<number, string>();
  for (const { deviceId, deviceName } of alerts)
    if (deviceId !== null) names.set(deviceId, deviceName ?? `#${deviceId}`);
  return { kind: 'seen', ids: [...names.keys()], names };
};
