/** Policies (§4.10): read, create, replace and delete. */
import { z } from 'zod';
import { type PolicyView, policyJson } from '../json/policy-json.ts';
import { deviceCounts } from '../world/edits/edit-groups.ts';
import { addPolicy, linkPolicy, removePolicy } from '../world/edits/edit-policies.ts';
import { selectedField } from './body-fields.ts';
import { allGroupsExist, type EndpointContext, policyOrNotFound, slicePage } from './endpoint-context.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { type PolicyBody, policyBody, policyDraftOf, replacedPolicyBody } from './policy-body.ts';
import { limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';
import {
  createdResponse,
  forbiddenResponse,
  invalidResponse,
  noContentResponse,
  notFoundResponse,
} from './responses.ts';

const Query = z.object({ limit: limitParameter(), page: pageParameter() });

export function listPolicies(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const { state } = service.world();
  const counts = deviceCounts(state);
  const rows = slicePage([...state.policies.values()], query, MAX_ROWS);
  return Response.json(rows.map((policy) => policyJson(policy, viewOf(service), counts)));
}

export function getPolicy(service: EndpointContext, id: string | undefined): Response {
  const policy = policyOrNotFound(service, id);
  return policy === undefined ? notFoundResponse() : Response.json(policyJson(policy, viewOf(service)));
}

function viewOf(service: EndpointContext): PolicyView {
  return { world: service.world().state, profile: service.profile, now: service.clock.now() };
}

/** 201 without a body: the new policy is found by its name. */
export function createPolicy(service: EndpointContext, text: string): Response {
  const body = parseBody(text, policyBody);
  if (body instanceof Response) return body;
  const wrong = nameTakenProblem(service, body, undefined) ?? linksProblem(service, body);
  if (wrong !== undefined) return wrong;
  const { state } = service.world();
  const policy = addPolicy(state, policyDraftOf(body, service.clock.now()));
  linkPolicy(state, policy.id, body.server_groups);
  return createdResponse();
}

/** Replaces the whole policy: missing fields are cleared, including secrets in the configuration. */
export function updatePolicy(service: EndpointContext, id: string | undefined, text: string): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  const body = parseBody(text, replacedPolicyBody);
  if (body instanceof Response) return body;
  if (body.id !== undefined && body.id !== policy.id) return invalidResponse({ id: [selectedField('id')] });
  // Without its id in the body, a policy's own name counts as taken, as on the live service.
  const wrong = nameTakenProblem(service, body, body.id) ?? linksProblem(service, body);
  if (wrong !== undefined) return wrong;
  // Assumption (§4.10): the type of a policy cannot change.
  if (body.policy_type_name !== policy.type)
    return invalidResponse({ policy_type_name: [selectedField('policy_type_name')] });
  const { state } = service.world();
  state.policies.set(policy.id, { ...policyDraftOf(body, policy.createTime), id: policy.id });
  linkPolicy(state, policy.id, body.server_groups);
  return noContentResponse();
}

export function deletePolicy(service: EndpointContext, id: string | undefined): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  removePolicy(service.world().state, policy);
  return noContentResponse();
}

function nameTakenProblem(
  service: EndpointContext,
  body: PolicyBody,
  ownId: number | undefined,
): Response | undefined {
  const others = [...service.world().state.policies.values()].filter(({ id }) => id !== ownId);
  const isTaken = others.some(({ name }) => name === body.name);
  return isTaken ? invalidResponse({ name: ['The name must be unique.'] }) : undefined;
}

/** The error for a policy of another organization, or with an unknown group. */
function linksProblem(service: EndpointContext, body: PolicyBody): Response | undefined {
  const { organizationId } = service.world().state;
  const elsewhere = body.organization_id !== undefined && body.organization_id !== organizationId;
  return elsewhere || !allGroupsExist(service, body.server_groups ?? []) ? forbiddenResponse() : undefined;
}
