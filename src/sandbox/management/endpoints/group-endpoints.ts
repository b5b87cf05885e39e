/** Read, replace and delete server groups (§4.10), and create them (§4.1). */
import { z } from 'zod';
import { createdGroupJson, type GroupView, groupJson } from '../json/group-json.ts';
import {
  addGroup,
  deviceCounts,
  isDefaultGroup,
  makesLoop,
  removeGroup,
} from '../world/edits/edit-groups.ts';
import { requiredField, selectedField, takenField } from './body-fields.ts';
import { allGroupsExist, type EndpointContext, groupOrNotFound, slicePage } from './endpoint-context.ts';
import { type GroupBody, groupBody, groupDraftOf } from './group-body.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';
import { forbiddenResponse, invalidResponse, noContentResponse, plainErrorResponse } from './responses.ts';

const Query = z.object({ limit: limitParameter(), page: pageParameter() });

export function listGroups(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const { groups } = service.world().state;
  const view = viewOf(service);
  return Response.json(
    slicePage([...groups.values()], query, MAX_ROWS).map((group) => groupJson(group, view)),
  );
}

/** An unknown group is answered like a forbidden one. */
export function getGroup(service: EndpointContext, id: string | undefined): Response {
  const group = groupOrNotFound(service, id);
  return group === undefined ? forbiddenResponse() : Response.json(groupJson(group, viewOf(service)));
}

export function createGroup(service: EndpointContext, text: string): Response {
  const body = parseBody(text, groupBody(service.profile));
  if (body instanceof Response) return body;
  const { state } = service.world();
  const wrong = parentProblem(service, undefined, body);
  if (wrong !== undefined) return wrong;
  const group = addGroup(state, groupDraftOf(body, service.clock.now()));
  return Response.json(createdGroupJson(group, state.organizationId), { status: 201 });
}

/** Replaces the whole group: missing fields are cleared ("in practice" 7). */
export function updateGroup(service: EndpointContext, id: string | undefined, text: string): Response {
  const group = groupOrNotFound(service, id);
  if (group === undefined) return forbiddenResponse();
  const body = parseBody(text, groupBody(service.profile));
  if (body instanceof Response) return body;
  const wrong = isDefaultGroup(group)
    ? defaultGroupProblem(service, group.id, body)
    : parentProblem(service, group.id, body);
  if (wrong !== undefined) return wrong;
  const { groups } = service.world().state;
  groups.set(group.id, { ...groupDraftOf(body, service.clock.now()), id: group.id });
  return noContentResponse();
}

/** Assumption (§4.10): the Default group cannot be deleted, because the devices of deleted groups move to it. */
export function deleteGroup(service: EndpointContext, id: string | undefined): Response {
  const group = groupOrNotFound(service, id);
  if (group === undefined) return forbiddenResponse();
  if (isDefaultGroup(group)) return plainErrorResponse(400, 'The Default group cannot be deleted.');
  removeGroup(service.world().state, group);
  return noContentResponse();
}

function viewOf(service: EndpointContext): GroupView {
  const { state } = service.world();
  const { organizationId } = state;
  return { organizationId, profile: service.profile, counts: deviceCounts(state) };
}

/** Assumption (§2.1): the Default group keeps its blank name and stays its own parent. */
function defaultGroupProblem(service: EndpointContext, id: number, body: GroupBody): Response | undefined {
  if (body.name !== '') return invalidResponse({ name: [selectedField('name')] });
  return body.parent_server_group_id === id ? policiesProblem(service, body) : parentProblemResponse();
}

/** Only an existing group can form a loop: `id` is undefined for a new one. */
function parentProblem(
  service: EndpointContext,
  id: number | undefined,
  body: GroupBody,
): Response | undefined {
  if (body.name.trim() === '') return invalidResponse({ name: [requiredField('name')] });
  if (isNameTaken(service, id, body)) return invalidResponse({ name: [takenField('name')] });
  if (!allGroupsExist(service, [body.parent_server_group_id])) return forbiddenResponse();
  if (id !== undefined && makesLoop(service.world().state, id, body.parent_server_group_id))
    return parentProblemResponse();
  return policiesProblem(service, body);
}

/** Assumption (§4.1): only groups of one parent need different names; a public script gives each parent the same ones. */
function isNameTaken(service: EndpointContext, ownId: number | undefined, body: GroupBody): boolean {
  return [...service.world().state.groups.values()].some(
    ({ id, name, parentId }) =>
      id !== ownId && name === body.name && parentId === body.parent_server_group_id,
  );
}

function policiesProblem(service: EndpointContext, { policies }: GroupBody): Response | undefined {
  const known = service.world().state.policies;
  const all = (policies ?? []).every((id) => known.has(id));
  return all ? undefined : invalidResponse({ policies: [selectedField('policies')] });
}

/** The error for a group that would be its own ancestor. */
function parentProblemResponse(): Response {
  return invalidResponse({ parent_server_group_id: [selectedField('parent_server_group_id')] });
}
