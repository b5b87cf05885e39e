/** Policies (§4.10): reading, creating, replacing and deleting them. */
import { z } from 'zod';
import { policyJson } from '../json/policy.ts';
import { deviceCounts } from '../world/edits/groups.ts';
import { addPolicy, linkPolicy, removePolicy } from '../world/edits/policies.ts';
import { created, forbidden, invalid, noContent, notFound } from './answer.ts';
import { selected } from './body-fields.ts';
import { limit, page, ROWS_MAX } from './fields.ts';
import { draftOf, type PolicyBody, policyBody } from './policy-body.ts';
import { bodyOf, queryOf } from './request.ts';
import { haveGroups, pageOf, policyAt, type Service } from './service.ts';

const Query = z.object({ limit: limit(), page: page() });

export function listPolicies(service: Service, params: URLSearchParams): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const { state } = service.moving();
  const counts = deviceCounts(state);
  const rows = pageOf([...state.policies.values()], query, ROWS_MAX);
  return Response.json(rows.map((policy) => policyJson(policy, state, counts)));
}

export function readPolicy(service: Service, id: string | undefined): Response {
  const policy = policyAt(service, id);
  return policy === undefined ? notFound() : Response.json(policyJson(policy, service.moving().state));
}

/** 201 without a body: the new policy is found by its name. */
export function createPolicy(service: Service, text: string): Response {
  const body = bodyOf(text, policyBody);
  if (body instanceof Response) return body;
  const wrong = nameTaken(service, body, undefined) ?? wrongLinks(service, body);
  if (wrong !== undefined) return wrong;
  const { state } = service.moving();
  const policy = addPolicy(state, draftOf(body, service.clock.now()));
  linkPolicy(state, policy.id, body.server_groups ?? []);
  return created();
}

/** The whole policy is replaced: what is left out is cleared, secrets in the configuration too. */
export function replacePolicy(service: Service, id: string | undefined, text: string): Response {
  const policy = policyAt(service, id);
  if (policy === undefined) return notFound();
  const body = bodyOf(text, policyBody);
  if (body instanceof Response) return body;
  if (body.id !== undefined && body.id !== policy.id) return invalid({ id: [selected('id')] });
  // Without its id in the body a policy is in the way of its own name, as live.
  const wrong = nameTaken(service, body, body.id) ?? wrongLinks(service, body);
  if (wrong !== undefined) return wrong;
  // Assumption (§4.10): what kind of policy it is stays.
  if (body.policy_type_name !== policy.type)
    return invalid({ policy_type_name: [selected('policy_type_name')] });
  const { state } = service.moving();
  state.policies.set(policy.id, { ...draftOf(body, policy.createTime), id: policy.id });
  linkPolicy(state, policy.id, body.server_groups ?? []);
  return noContent();
}

export function deletePolicy(service: Service, id: string | undefined): Response {
  const policy = policyAt(service, id);
  if (policy === undefined) return notFound();
  removePolicy(service.moving().state, policy);
  return noContent();
}

function nameTaken(service: Service, body: PolicyBody, ownId: number | undefined): Response | undefined {
  const others = [...service.moving().state.policies.values()].filter(({ id }) => id !== ownId);
  const taken = others.some(({ name }) => name === body.name);
  return taken ? invalid({ name: ['The name must be unique.'] }) : undefined;
}

/** A policy of another organization or for a group that is not there. */
function wrongLinks(service: Service, body: PolicyBody): Response | undefined {
  const { organizationId } = service.moving().state;
  const elsewhere = body.organization_id !== undefined && body.organization_id !== organizationId;
  return elsewhere || !haveGroups(service, body.server_groups ?? []) ? forbidden() : undefined;
}
