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

  // automox-mcp, CHANGELOG, seen 2026-06-03
  it('refuses device filters of the older shape', async () => {
    const service = await startService();
    const configuration = { ...NEW.configuration, device_filters: [{ type: 'tag', tag_name: 'db' }] };
    expect(await service.post('/policies', { ...NEW, configuration })).toMatchObject({
      status: 400,
      body: {
        errors: {
          configuration: expect.arrayContaining([
            'The configuration.device_filters.field field is required.',
          ]),
        },
      },
    });
  });

  it.each([
    ['is for the devices that its filters match', { device_filters_enabled: true }, ['web-01']],
    ['without the switch of its filters is for all devices of its groups', {}, ['web-01', 'web-02']],
    [
      'with a filter of an unknown field is for the devices that the others match',
      {
        device_filters_enabled: true,
        device_filters: [
          { field: 'hostname', op: 'in', value: ['web-02'] },
          { field: 'device-id', op: 'in', value: [1] },
        ],
      },
      ['web-02'],
    ],
  ])('%s', async (_what, filters, names) => {
    const service = await startService();
    const device_filters = [{ field: 'hostname', op: 'in', value: ['web-01'] }];
    const configuration = { ...NEW.configuration, device_filters, ...filters };
    const { server_group_id } = Object((await service.get(`/servers/${await service.idOf('web-01')}`)).body);
    await service.post('/policies', { ...NEW, configuration, server_groups: [server_group_id] });
    const id = (await service.rows('/policies')).find(({ name }) => name === NEW.name)?.['id'];
    const listed = await service.rows(`/servers?policyId=${id}`);
    const own = listed.map(({ name }) => name).filter((name) => name === 'web-01' || name === 'web-02');
    expect(own).toEqual(names);
    const single = await Promise.all(listed.map(({ id: one }) => service.get(`/servers/${one}`)));
    for (const { body } of single)
      expect(Object(body).policy_status).toContainEqual(expect.objectContaining({ policy_id: id }));
  });
});
