/** `POST /policies/{id}/action` (live only; "in practice" 6): remediates one device or all devices of the policy. */
import { z } from 'zod';
import { parseJson } from '../../parse-json.ts';
import { devicesUnder } from '../world/edits/edit-policies.ts';
import type { WorldDevice } from '../world/model.ts';
import { integerField, oneOfField, requiredField } from './body-fields.ts';
import { type EndpointContext, policyOrNotFound } from './endpoint-context.ts';
import { parseBody } from './parse-request.ts';
import { createdResponse, invalidResponse, notFoundResponse } from './responses.ts';

const Body = z.object({
  action: oneOfField('action', ['remediateAll', 'remediateServer']),
  serverId: integerField('serverId').nullish(),
});

/** What a request does not have in its body may be in its query: the vendor's older client sends both there. */
function withQuery(params: URLSearchParams, text: string): string {
  const serverId = params.get('serverId');
  const json = text.trim() === '' ? {} : parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return text;
  return JSON.stringify({
    ...(params.has('action') ? { action: params.get('action') } : {}),
    ...(serverId === null ? {} : { serverId: /^\d{1,15}$/.test(serverId) ? Number(serverId) : serverId }),
    ...json,
  });
}

/**
 * 201 without a body; the devices run it from their queues. `remediateAll` beside a `serverId` still means all.
 * Assumption (in practice 6): a named device may be outside the policy's groups, as in its queue.
 */
export function runPolicyAction(
  service: EndpointContext,
  id: string | undefined,
  { params, text }: { readonly params: URLSearchParams; readonly text: string },
): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  const body = parseBody(withQuery(params, text), Body);
  if (body instanceof Response) return body;
  const { state, commands } = service.world();
  const remediate = (device: WorldDevice): void => {
    commands.enqueue(device, { kind: 'policy', policyId: policy.id, action: 'remediate' });
  };
  if (body.action === 'remediateAll') {
    devicesUnder(state, policy).forEach(remediate);
    return createdResponse();
  }
  const { serverId } = body;
  if (serverId === undefined || serverId === null)
    return invalidResponse({ serverId: [requiredField('serverId')] });
  const device = state.devices.get(serverId);
  if (device === undefined) return notFoundResponse();
  remediate(device);
  return createdResponse();
}
