/** `POST /policies/{id}/action` (live only; "in practice" 6): remediation on one device or on all of the policy's. */
import { z } from 'zod';
import { devicesUnder } from '../world/edits/policies.ts';
import type { Device } from '../world/model.ts';
import { created, invalid, notFound } from './answer.ts';
import { oneOf, required, whole } from './body-fields.ts';
import { bodyOf } from './request.ts';
import { policyAt, type Service } from './service.ts';

const Body = z.object({
  action: oneOf('action', ['remediateAll', 'remediateServer']),
  serverId: whole('serverId').nullish(),
});

/**
 * 201 without a body; the devices carry it out from their queues. `remediateAll` beside a `serverId` still means all.
 * Assumption (in practice 6): one device may be named that is in none of the policy's groups, as in its queue.
 */
export function actOnPolicy(service: Service, id: string | undefined, text: string): Response {
  const policy = policyAt(service, id);
  if (policy === undefined) return notFound();
  const body = bodyOf(text, Body);
  if (body instanceof Response) return body;
  const { state, commands } = service.moving();
  const remediate = (device: Device): void => {
    commands.enqueue(device, { kind: 'policy', policyId: policy.id, action: 'remediate' });
  };
  if (body.action === 'remediateAll') {
    devicesUnder(state, policy.id).forEach(remediate);
    return created();
  }
  const { serverId } = body;
  if (serverId === undefined || serverId === null) return invalid({ serverId: [required('serverId')] });
  const device = state.devices.get(serverId);
  if (device === undefined) return notFound();
  remediate(device);
  return created();
}
