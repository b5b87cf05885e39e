/** The details of one group: parent groups, settings, policies and number of devices. */
import { colorName } from '../../fleet/model/derived-fields.ts';
import type { Group } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { editGroupButton } from '../device/device-buttons.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { boldHeading, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { ReadOnlyReader } from '../models/device-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { CommandChoice } from '../models/report-model.ts';
import { countText, intervalText } from '../text/common-text.ts';
import { type StatedFact, statedFields, statedText } from '../text/stated-facts.ts';
import { namesText } from './policy-list.ts';

export type GroupView = {
  readonly kind: 'group';
  readonly group: Group;
  readonly name: string;
  /** Names of the parent groups, outermost first. */
  readonly above: readonly string[];
  readonly policies: readonly { readonly id: PolicyId; readonly name: string | null }[];
  /** Without subgroups. */
  readonly devices: number;
  /** With subgroups. */
  readonly devicesBelow: number;
  readonly list: CommandChoice;
  readonly asOf: Instant;
} & ReadOnlyReader;

const POLICIES = 10;

/** Draws the details. Only people who may change groups get the Edit button. */
export function renderGroupDetails(view: GroupView): RenderedMessage {
  const { name, devices, devicesBelow, list, asOf } = view;
  return buildMessage({
    text: md`Group ${escapeMrkdwn(name)}: ${countText(devices, 'device')}, ${countText(view.policies.length, 'policy', 'policies')}.`,
    body: [section(boldHeading('Group', name)), ...statedFields(groupFacts(view))],
    footer: [
      context(md`As of ${relativeDate(asOf)}.`),
      ...actions(
        devicesBelow === 0 ? null : runButton({ action: 'devices', label: 'Devices', ...list }),
        view.lookOnly === undefined ? editGroupButton(view.group.id) : null,
        runButton({ action: 'groups', label: 'All groups', command: 'groups', input: {} }),
      ),
    ],
  });
}

function groupFacts({ group, above, policies, devices, devicesBelow }: GroupView): readonly StatedFact[] {
  const below = devicesBelow > devices ? md` (${devicesBelow} with subgroups)` : md``;
  return [
    { label: 'ID', value: md`#${group.id}` },
    { label: 'Parent group', value: above.length === 0 ? null : pathText(above) },
    { label: 'Devices', value: md`${devices}${below}` },
    {
      label: 'Scan interval',
      value: group.refreshIntervalMinutes === null ? null : intervalText(group.refreshIntervalMinutes),
    },
    { label: 'Automatic OS updates', value: autoUpdateText(group) },
    { label: 'Windows update source', value: wsusText(group) },
    { label: 'Color', value: colorText(group) },
    { label: `Policies (${policies.length})`, value: policyNamesText(policies) },
    { label: 'Notes', value: statedText(group.notes, DISPLAY_LIMIT.sentence) },
  ];
}

function pathText(above: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    above.slice(-5).map((name) => escapeMrkdwn(name, DISPLAY_LIMIT.label)),
    ' / ',
  );
}

function autoUpdateText({ osAutoUpdate }: Group): Mrkdwn {
  if (osAutoUpdate === null) return md`The device’s own setting`;
  return osAutoUpdate ? md`On` : md`Off`;
}

function wsusText({ wsus: config }: Group): Mrkdwn {
  if (config === null || config.managed === null) return md`The device’s own setting`;
  if (!config.managed) return md`Windows Update`;
  return config.server === null || config.server === ''
    ? md`WSUS`
    : md`WSUS, server ${inlineCode(config.server)}`;
}

/** The name that the console shows for the color. It shows its first color for values that it does not know. */
function colorText({ color: value }: Group): Mrkdwn | null {
  const name = colorName(value);
  return name === null || value === null || value === ''
    ? null
    : md`${escapeMrkdwn(name)} (${escapeMrkdwn(value, DISPLAY_LIMIT.label)})`;
}

function policyNamesText(policies: GroupView['policies']): Mrkdwn {
  return policies.length === 0 ? md`None` : namesText(policies, POLICIES);
}
