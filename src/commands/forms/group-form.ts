/** The forms of `group-create` and `group-edit`. */

import { z } from 'zod';
import { collectRows } from '../../fleet/collect-rows.ts';
import type { Group } from '../../fleet/model.ts';
import { unlessMissing } from '../../fleet/unless-missing.ts';
import { groupId } from '../../ids.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { type GroupInput, groupChange, groupFaults, groupInput } from '../edits/group-input.ts';
import { ref } from '../targets/named.ts';
import { PERSON } from '../targets/resolve.ts';
import { givenReason, REASON, reasonField } from './device-form.ts';
import type { Form, FormOpened, FormRead } from './form.ts';
import { errorOn, idIn } from './form-values.ts';
import { drawGroup, FIELD_IDS, type Prefilled } from './group-form-fields.ts';
import { areDrawn, hasIdleServer, IDLE_SERVER, readGroup } from './group-form-values.ts';
import { groupOption } from './group-option.ts';
import { typedIn, withTyped } from './typed-before.ts';

const GROUP = 'group';
const HINT = 'The approver sees it on the card.';
const NOT_DRAWN = 'The fields of this group aren’t shown yet. Wait a moment, then send again.';

/** What the form showed, so that only what was written since is judged. */
const shown = z.object({ server: z.string() }).catch({ server: '' });
function shownIn(now: Prefilled | null): z.infer<typeof shown> {
  return { server: now?.wsus.server ?? '' };
}

/** What was typed before a form is opened; what does not fit is nothing. */
const typedFields = groupInput.catch({});
const typedReason = z.object({ reason: z.string().nullable().default(null) }).catch({ reason: null });
const typedGroup = z.object({ group: ref.optional() }).catch({});

export const groupCreateForm: Form = {
  open: async (typed, ports) => {
    const given = typedFields.parse(typed);
    const parent = await groupOption(given.parent ?? 'default', ports);
    const now = await prefill(null, { ...given, parent }, ports);
    const fields = drawGroup('', now, ports.dialect);
    const why = reasonField(typedReason.parse(typed).reason, HINT);
    const context = shownIn(now);
    const head = { command: 'group-create', title: 'Create a group', submit: 'Request approval', context };
    return { kind: 'form', form: { ...head, fields: [...fields, why] } };
  },
  read: (values, context, ports) => {
    const read = readGroup('', values);
    // What a new group leaves to the device need not be said.
    const { osAutoUpdate, wsus, notes, policies, ...rest } = read;
    const input = {
      ...rest,
      name: read.name ?? '',
      ...(typeof osAutoUpdate === 'boolean' ? { osAutoUpdate } : {}),
      ...(wsus === undefined || wsus.enabled === null ? {} : { wsus }),
      ...(notes === undefined || notes === '' ? {} : { notes }),
      ...(policies === undefined || policies.length === 0 ? {} : { policies }),
    };
    const given = { ...input, reason: givenReason(values) };
    return idleServer('', values, context) ?? checked(input, '', ports, given);
  },
};

export const groupEditForm: Form = {
  open: async (typed, ports) => {
    const option = await groupOption(typedGroup.parse(typed).group, ports);
    return drawEdit(option, { typed, reason: typedReason.parse(typed).reason }, ports);
  },
  redraw: async (values, context, ports) => {
    const option = await groupOption(idIn(values, GROUP) ?? undefined, ports);
    return drawEdit(option, { typed: typedIn(context), reason: givenReason(values) }, ports);
  },
  read: (values, context, ports) => {
    const group = idIn(values, GROUP);
    if (group === null) return errorOn(GROUP, 'Choose a group.');
    const ending = `:${group}`;
    if (!areDrawn(ending, values)) return errorOn(GROUP, NOT_DRAWN);
    const read = ofDefault(readGroup(ending, values));
    const given = { ...read, group, reason: givenReason(values) };
    return idleServer(ending, values, context) ?? checked(read, ending, ports, given);
  },
};

type Given = Omit<GroupInput, 'parent'> & { readonly parent: FormOption | null };

async function drawEdit(
  option: FormOption | null,
  { typed, reason }: { readonly typed: unknown; readonly reason: string | null },
  ports: ReadPorts,
): Promise<FormOpened> {
  const given = typedFields.parse(typed);
  const group =
    option === null
      ? null
      : await unlessMissing(() => ports.fleet.group(groupId(Number(option.value)), PERSON));
  const parent = await groupOption(given.parent, ports);
  const now = group === null ? null : await prefill(group, { ...given, parent }, ports);
  const rest: readonly FormField[] =
    group === null || now === null
      ? [{ kind: 'words', text: 'Choose a group to see its fields.' }]
      : drawGroup(`:${group.id}`, now, ports.dialect);
  const search = {
    kind: 'search',
    id: GROUP,
    label: 'Group',
    of: 'group',
    initial: option,
    live: true,
  } as const;
  const context = { ...shownIn(now), ...withTyped(typed, [GROUP, REASON]) };
  const head = { command: 'group-edit', title: 'Edit a group', submit: 'Request approval', context };
  return { kind: 'form', form: { ...head, fields: [search, ...rest, reasonField(reason, HINT)] } };
}

/** A day for a new group, as where nothing is typed. */
const EVERY = 1_440;

/** The group as it is, and over it what was typed. */
async function prefill(group: Group | null, given: Given, ports: ReadPorts): Promise<Prefilled> {
  const policies = given.policies ?? group?.policyIds ?? [];
  const above = given.parent ?? (await groupOption(group?.parentId ?? undefined, ports));
  return {
    name: given.name ?? group?.name ?? '',
    parent: above,
    every: given.every ?? (group === null ? EVERY : group.refreshIntervalMinutes),
    color: given.color ?? (group === null || group.color === '' ? null : group.color),
    notes: given.notes ?? group?.notes ?? '',
    osAutoUpdate: given.osAutoUpdate === undefined ? (group?.osAutoUpdate ?? null) : given.osAutoUpdate,
    wsus: {
      enabled: given.wsus === undefined ? (group?.wsus?.managed ?? null) : given.wsus.enabled,
      server: given.wsus?.server ?? group?.wsus?.server ?? '',
    },
    policies: policies.length === 0 ? [] : await policyOptions(policies, ports),
  };
}

async function policyOptions(ids: readonly number[], { fleet }: ReadPorts): Promise<readonly FormOption[]> {
  const known = await collectRows(fleet.policies(PERSON));
  return ids.map((id) => {
    const policy = known.find((one) => one.id === id);
    const label = policy === undefined || policy.name === '' ? `#${id}` : policy.name;
    return { value: String(id), label, detail: `#${id}` };
  });
}

/** The Default Group's blank name is no name to give. */
function ofDefault(read: GroupInput): GroupInput {
  const { name, ...rest } = read;
  return name === '' ? rest : read;
}

/** Nothing that was written is dropped in silence. */
function idleServer(ending: string, values: FieldValues, context: unknown): FormRead | null {
  const { server } = shown.parse(context);
  return hasIdleServer(ending, values, server)
    ? errorOn(`${IDLE_SERVER.field}${ending}`, IDLE_SERVER.words)
    : null;
}

/** `input`, or what the service would not take, each at its field. */
function checked(fields: GroupInput, ending: string, { dialect }: ReadPorts, input: unknown): FormRead {
  const faults = groupFaults(groupChange(fields, undefined), dialect);
  if (faults.length === 0) return { kind: 'input', input };
  const errors = faults.map(({ field, expected }) => [
    `${FIELD_IDS[field]}${ending}`,
    `Expected: ${expected}.`,
  ]);
  return { kind: 'errors', errors: Object.fromEntries(errors) };
}
