/** Read, replace and delete server groups (§4.10), and create them (§4.1). */
import { z } from 'zod';
import type { Instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import type { WorldGroup, WsusSettings } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import {
  allGroupsExist,
  booleanField,
  type EndpointContext,
  forbiddenResponse,
  groupOrNotFound,
  integerField,
  invalidResponse,
  limitParameter,
  listField,
  MAX_ROWS,
  noContentResponse,
  orDigits,
  pageParameter,
  parseBody,
  parseQuery,
  plainErrorResponse,
  rangeField,
  requiredField,
  selectedField,
  slicePage,
  takenField,
  textField,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

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

/** The body of a group request (§4.1), and the group that it describes. */

const DAY_MINUTES = 1_440;

/**
 * The same rules for a create and a replacement.
 * Numbers as text: AutomoxCommunity/Templates_And_Examples, RecursiveGroupsCreationViaCSV.ps1.
 */
function groupBody({ leastRefreshMinutes }: Profile) {
  return z.object({
    name: textField('name'),
    refresh_interval: orDigits(rangeField('refresh_interval', leastRefreshMinutes, DAY_MINUTES)),
    parent_server_group_id: orDigits(integerField('parent_server_group_id')),
    // Any text is accepted (§2.1).
    ui_color: textField('ui_color').nullish(),
    notes: textField('notes').nullish(),
    enable_os_auto_update: booleanField('enable_os_auto_update').nullish(),
    enable_wsus: booleanField('enable_wsus').nullish(),
    wsus_server: textField('wsus_server').nullish(),
    policies: listField('policies', orDigits(integerField('policies'))).nullish(),
  });
}
type GroupBody = z.output<ReturnType<typeof groupBody>>;

function groupDraftOf(body: GroupBody, now: Instant): GroupDraft {
  return {
    name: body.name,
    parentId: body.parent_server_group_id,
    refreshMinutes: body.refresh_interval,
    color: body.ui_color ?? null,
    notes: body.notes ?? '',
    osAutoUpdate: body.enable_os_auto_update ?? null,
    wsus: wsusOf(body, now),
    policies: [...new Set(body.policies ?? [])],
  };
}

/** Null where the body has neither field. */
function wsusOf({ enable_wsus, wsus_server }: GroupBody, now: Instant): WsusSettings | null {
  const managed = enable_wsus ?? null;
  const server = wsus_server ?? null;
  return managed === null && server === null ? null : { managed, server, setAt: now };
}

/** A server group in the service's JSON (§2.1). */

type GroupView = {
  readonly organizationId: number;
  readonly profile: Pick<Profile, 'newerFields'>;
  /** Number of devices by group. */
  readonly counts: ReadonlyMap<number, number>;
};

/** Only a group that is read has a `uuid`, and in older recordings none has (terraform-provider-automox, 2026). */
function groupJson(group: WorldGroup, { organizationId, profile, counts }: GroupView): object {
  return {
    ...createdGroupJson(group, organizationId),
    ...(profile.newerFields ? { uuid: uuidOf(`group ${group.id}`) } : {}),
    server_count: counts.get(group.id) ?? 0,
    policies: group.policies,
  };
}

/** The answer to a create (§4.1): without the policies and the WSUS fields. */
function createdGroupJson(group: WorldGroup, organizationId: number): object {
  return {
    ...briefGroupJson(group, organizationId),
    ui_color: group.color,
    notes: group.notes,
    enable_os_auto_update: group.osAutoUpdate,
    wsus_config: group.wsus === null ? null : wsusConfig(group, group.wsus),
  };
}

/** The group inside a row of a preview ("in practice" 1). */
export function briefGroupJson(group: WorldGroup, organizationId: number): object {
  return {
    id: group.id,
    organization_id: organizationId,
    name: group.name,
    refresh_interval: group.refreshMinutes,
    parent_server_group_id: group.parentId,
  };
}

function wsusConfig(group: WorldGroup, wsus: WsusSettings): object {
  return {
    id: group.id * 10,
    server_group_id: group.id,
    is_managed: wsus.managed,
    server_url: wsus.server,
    created_at: deviceTime(wsus.setAt),
    updated_at: deviceTime(wsus.setAt),
  };
}

/** Edits of the group tree. Groups are replaced, never changed in place, so references keep the old values. */

type GroupDraft = Omit<WorldGroup, 'id'>;

function addGroup(world: World, draft: GroupDraft): WorldGroup {
  const group = { ...draft, id: world.nextGroupId++ };
  world.groups.set(group.id, group);
  return group;
}

/** The Default group is its own parent (§2.1). */
function isDefaultGroup(group: WorldGroup): boolean {
  return group.parentId === group.id;
}

/**
 * Moves its devices to the Default group.
 * Assumption (§4.10): the groups under it become top-level.
 */
function removeGroup(world: World, group: WorldGroup): void {
  const home = defaultGroup(world);
  world.groups.delete(group.id);
  for (const child of world.groups.values())
    if (child.parentId === group.id) world.groups.set(child.id, { ...child, parentId: home.id });
  for (const device of world.devices.values())
    if (device.groupId === group.id) world.devices.move(device, home.id);
}

/** Whether this parent would make `id` its own ancestor. */
function makesLoop(world: World, id: number, parentId: number): boolean {
  for (let above = world.groups.get(parentId); above !== undefined; above = parentOf(world, above))
    if (above.id === id) return true;
  return false;
}

/** Number of devices per group; a group without devices may have no entry. */
export function deviceCounts(world: World): ReadonlyMap<number, number> {
  return world.devices.counts();
}

function defaultGroup(world: World): WorldGroup {
  const found = [...world.groups.values()].find(isDefaultGroup);
  if (found === undefined) throw new Error('The organization has no Default group.');
  return found;
}

function parentOf(world: World, group: WorldGroup): WorldGroup | undefined {
  return isDefaultGroup(group) ? undefined : world.groups.get(group.parentId);
}
