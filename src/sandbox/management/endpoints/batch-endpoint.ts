/** `POST /servers/batch` (live only; "in practice" 7): changes the tags of many devices after a moment. */
import { z } from 'zod';
import { later, SECOND } from '../../../lib/clock.ts';
import { jobJson } from '../json/batch-json.ts';
import { changeTags } from '../world/edits/edit-devices.ts';
import { integerField, listField, oneOfField, textField } from './body-fields.ts';
import type { EndpointContext } from './endpoint-context.ts';
import { parseBody } from './parse-request.ts';

/** "In practice" 1 and 7. */
const DEVICES_MAX = 500;

/** Long enough that a client that does not wait sees the old tags. */
const DELAY_MS = 3 * SECOND;

const Body = z.object({
  devices: listField('devices', integerField('devices'))
    .min(1, 'The devices field is required.')
    .max(DEVICES_MAX, `The devices may not have more than ${DEVICES_MAX} items.`),
  actions: listField(
    'actions',
    z.object(
      {
        attribute: oneOfField('attribute', ['tags']),
        action: oneOfField('action', ['apply', 'remove']),
        value: listField('value', textField('value')),
      },
      'Each of the actions must be an object.',
    ),
  ).min(1, 'The actions field is required.'),
});

/**
 * 200 with the job; nothing is done yet.
 * Assumption (in practice 7): ids without a device are counted and have no effect.
 */
export function startBatch(service: EndpointContext, text: string): Response {
  const body = parseBody(text, Body);
  if (body instanceof Response) return body;
  const { state, timers } = service.world();
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
