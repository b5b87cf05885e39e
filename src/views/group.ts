/** One group: where it stands, its settings in words, its policies and devices. */
import { colorName } from '../fleet/colors.ts';
import type { Group } from '../fleet/model.ts';
import { editGroupButton } from './device/device-buttons.ts';
import { actions, context, section } from './kit/blocks.ts';
import { code, heading, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { type StatedFact, statedFields, statedText } from './stated.ts';
import { count, every } from './words.ts';

type GroupView = Extract<View, { kind: 'group' }>;

const POLICIES = 10;

export function renderGroup(view: GroupView): RenderedMessage {
  const { name, devices, devicesBelow, list, asOf } = view;
  return message({
    text: md`Group ${literal(name)}: ${count(devices, 'device')}, ${count(view.policies.length, 'policy', 'policies')}.`,
    body: [section(heading('Group', name)), ...statedFields(facts(view))],
    end: [
      context(md`As of ${when(asOf)}.`),
      ...actions(
        devicesBelow === 0 ? null : runButton({ action: 'devices', label: 'Show devices', ...list }),
        view.lookOnly === undefined ? editGroupButton(view.group.id) : null,
        runButton({ action: 'groups', label: 'All groups', command: 'groups', input: {} }),
      ),
    ],
  });
}

function facts({ group, above, policies, devices, devicesBelow }: GroupView): readonly StatedFact[] {
  const below = devicesBelow > devices ? md` (${devicesBelow} with subgroups)` : md``;
  return [
    { label: 'ID', value: md`#${group.id}` },
    { label: 'Parent group', value: above.length === 0 ? null : path(above) },
    { label: 'Devices', value: md`${devices}${below}` },
    {
      label: 'Scan interval',
      value: group.refreshIntervalMinutes === null ? null : every(group.refreshIntervalMinutes),
    },
    { label: 'Automatic OS updates', value: autoUpdate(group) },
    { label: 'Windows update source', value: wsus(group) },
    { label: 'Color', value: color(group) },
    { label: `Policies (${policies.length})`, value: policyNames(policies) },
    { label: 'Notes', value: statedText(group.notes, SHOWN.sentence) },
  ];
}

function path(above: readonly string[]): Mrkdwn {
  return joined(
    above.slice(-5).map((name) => literal(name, SHOWN.label)),
    ' / ',
  );
}

function autoUpdate({ osAutoUpdate }: Group): Mrkdwn {
  if (osAutoUpdate === null) return md`The device’s own setting`;
  return osAutoUpdate ? md`On` : md`Off`;
}

function wsus({ wsus: config }: Group): Mrkdwn {
  if (config === null || config.managed === null) return md`The device’s own setting`;
  if (!config.managed) return md`Windows Update`;
  return config.server === null || config.server === '' ? md`WSUS` : md`WSUS, server ${code(config.server)}`;
}

/** The name is how the console shows it: any other colour as its first one. */
function color({ color: value }: Group): Mrkdwn | null {
  const name = colorName(value);
  return name === null || value === null || value === ''
    ? null
    : md`${literal(name)} (${literal(value, SHOWN.label)})`;
}

function policyNames(policies: GroupView['policies']): Mrkdwn {
  if (policies.length === 0) return md`None`;
  const shown = policies
    .slice(0, POLICIES)
    .map(({ id, name }) => (name === null || name === '' ? md`#${id}` : literal(name, SHOWN.label)));
  const left = policies.length - shown.length;
  return left === 0 ? joined(shown, ', ') : md`${joined(shown, ', ')} and ${left} more`;
}
