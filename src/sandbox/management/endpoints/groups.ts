/** Reading, replacing and deleting server groups (§4.10), and creating them (§4.1). */
import { z } from 'zod';
import { createdGroupJson, type GroupView, groupJson } from '../json/group.ts';
import { addGroup, deviceCounts, isDefault, makesLoop, removeGroup } from '../world/edits/groups.ts';
import { forbidden, invalid, noContent, plain } from './answer.ts';
import { required, selected } from './body-fields.ts';
import { limit, page, ROWS_MAX } from './fields.ts';
import { draftOf, type GroupBody, groupBody } from './group-body.ts';
import { bodyOf, queryOf } from './request.ts';
import { groupAt, haveGroups, pageOf, type Service } from './service.ts';

const Query = z.object({ limit: limit(), page: page() });

export function listGroups(service: Service, params: URLSearchParams): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const { groups } = service.moving().state;
  const view = viewOf(service);
  return Response.json(pageOf([...groups.values()], query, ROWS_MAX).map((group) => groupJson(group, view)));
}

/** A group that is not there is answered like one that may not be seen. */
export function readGroup(service: Service, id: string | undefined): Response {
  const group = groupAt(service, id);
  return group === undefined ? forbidden() : Response.json(groupJson(group, viewOf(service)));
}

export function createGroup(service: Service, text: string): Response {
  const body = bodyOf(text, groupBody(service.profile));
  if (body instanceof Response) return body;
  const { state } = service.moving();
  const wrong = wrongOther(service, undefined, body);
  if (wrong !== undefined) return wrong;
  const group = addGroup(state, draftOf(body, service.clock.now()));
  return Response.json(createdGroupJson(group, state.organizationId), { status: 201 });
}

/** The whole group is replaced: what is left out is cleared ("in practice" 7). */
export function replaceGroup(service: Service, id: string | undefined, text: string): Response {
  const group = groupAt(service, id);
  if (group === undefined) return forbidden();
  const body = bodyOf(text, groupBody(service.profile));
  if (body instanceof Response) return body;
  const wrong = isDefault(group)
    ? wrongDefault(service, group.id, body)
    : wrongOther(service, group.id, body);
  if (wrong !== undefined) return wrong;
  const { groups } = service.moving().state;
  groups.set(group.id, { ...draftOf(body, service.clock.now()), id: group.id });
  return noContent();
}

/** Assumption (§4.10): the Default group, to which the devices of others move, cannot go. */
export function deleteGroup(service: Service, id: string | undefined): Response {
  const group = groupAt(service, id);
  if (group === undefined) return forbidden();
  if (isDefault(group)) return plain(400, 'The Default group cannot be deleted.');
  removeGroup(service.moving().state, group);
  return noContent();
}

function viewOf(service: Service): GroupView {
  const { state } = service.moving();
  const { organizationId } = state;
  return { organizationId, profile: service.profile, counts: deviceCounts(state) };
}

/** Assumption (§2.1): the Default group keeps its blank name and stays its own parent. */
function wrongDefault(service: Service, id: number, body: GroupBody): Response | undefined {
  if (body.name !== '') return invalid({ name: [selected('name')] });
  return body.parent_server_group_id === id ? wrongPolicies(service, body) : wrongParent();
}

/** A loop can only come from a group that is there already: `id` is undefined for a new one. */
function wrongOther(service: Service, id: number | undefined, body: GroupBody): Response | undefined {
  if (body.name.trim() === '') return invalid({ name: [required('name')] });
  if (!haveGroups(service, [body.parent_server_group_id])) return forbidden();
  if (id !== undefined && makesLoop(service.moving().state, id, body.parent_server_group_id))
    return wrongParent();
  return wrongPolicies(service, body);
}

function wrongPolicies(service: Service, { policies }: GroupBody): Response | undefined {
  const known = service.moving().state.policies;
  const all = (policies ?? []).every((id) => known.has(id));
  return all ? undefined : invalid({ policies: [selected('policies')] });
}

/** Nothing stands above itself. */
function wrongParent(): Response {
  return invalid({ parent_server_group_id: [selected('parent_server_group_id')] });
}
