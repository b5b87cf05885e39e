/** `POST /servers/batch` (live only; "in practice" 7): tags of many devices, changed a moment later. */
import { z } from 'zod';
import { later, SECOND } from '../../../clock.ts';
import { jobJson } from '../json/batch.ts';
import { changeTags } from '../world/edits/devices.ts';
import { list, oneOf, text, whole } from './body-fields.ts';
import { bodyOf } from './request.ts';
import type { Service } from './service.ts';

/** "In practice" 1 and 7. */
const DEVICES_MAX = 500;

/** Long enough for a client that does not wait to see the old tags. */
const DELAY_MS = 3 * SECOND;

const Body = z.object({
  devices: list('devices', whole('devices'))
    .min(1, 'The devices field is required.')
    .max(DEVICES_MAX, `The devices may not have more than ${DEVICES_MAX} items.`),
  actions: list(
    'actions',
    z.object(
      {
        attribute: oneOf('attribute', ['tags']),
        action: oneOf('action', ['apply', 'remove']),
        value: list('value', text('value')),
      },
      'Each of the actions must be an object.',
    ),
  ).min(1, 'The actions field is required.'),
});

/**
 * 200 with the job, of which nothing is done yet.
 * Assumption (in practice 7): ids without a device are counted and come to nothing.
 */
export function startBatch(service: Service, text: string): Response {
  const body = bodyOf(text, Body);
  if (body instanceof Response) return body;
  const { state, timers } = service.moving();
  const createdAt = service.clock.now();
  const actions = body.actions.map(({ action, value }) => ({ action, tags: value }));
  timers.at(later(createdAt, DELAY_MS), () => {
    for (const id of body.devices) {
      const device = state.devices.get(id);
      if (device !== undefined) changeTags(device, actions);
    }
  });
  return Response.json(jobJson({ number: state.nextJobId++, devices: body.devices.length, createdAt }));
}
