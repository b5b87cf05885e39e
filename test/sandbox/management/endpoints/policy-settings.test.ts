import { describe, expect, it } from 'vitest';
import { NEW_WORKLET as NEW } from '../harness/new-worklet.ts';
import { startService } from '../harness/service.ts';

describe('POST /policies', () => {
  it.each([
    ['notify_user', 'yes', 'The configuration.notify_user field must be true or false.'],
    ['notify_user_message_timeout', 14, 'The configuration.notify_user_message_timeout must be at least 15.'],
    [
      'custom_notification_deferment_periods',
      [1, 2, 3, 4],
      'The configuration.custom_notification_deferment_periods may not have more than 3 items.',
    ],
    [
      'custom_notification_deferment_periods',
      [4, 4],
      'The configuration.custom_notification_deferment_periods has a duplicate value.',
    ],
    [
      'custom_pending_reboot_notification_max_delays',
      -1,
      'The configuration.custom_pending_reboot_notification_max_delays must be at least 0.',
    ],
    [
      'custom_notification_reboot_message_mac',
      'x'.repeat(71),
      'The configuration.custom_notification_reboot_message_mac may not be greater than 70 characters.',
    ],
  ])('refuses the setting %s: %j', async (name, value, message) => {
    const service = await startService();
    const configuration = { ...NEW.configuration, [name]: value };
    expect(await service.post('/policies', { ...NEW, configuration })).toMatchObject({
      status: 400,
      body: { errors: { configuration: [message] } },
    });
    expect(await service.rows('/policies')).toHaveLength(4);
  });

  it.each([
    [{ use_scheduled_timezone: true }, 'The scheduled_timezone field is required.'],
    [
      { use_scheduled_timezone: true, scheduled_timezone: 'Europe/Berlin' },
      'The scheduled_timezone format is invalid.',
    ],
  ])('refuses the time zone in %j', async (zone, message) => {
    const service = await startService();
    expect(await service.post('/policies', { ...NEW, ...zone })).toMatchObject({
      status: 400,
      body: { errors: { scheduled_timezone: [message] } },
    });
  });
});
