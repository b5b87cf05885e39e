/** The answer of `explain`: what a command would do, on which devices, and who would have to approve it. */

import { type FleetAction, isEdit, isRemoval, recordKindOf } from '../../fleet/model/actions.ts';
import { checkPermission, type Permission } from '../../lib/access.ts';
import { MINUTE } from '../../lib/clock.ts';
import { upperFirst } from '../../lib/text.ts';
import type { RolloutCost } from '../../rollout/estimate.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { RolloutSummary } from '../../rollout/summary.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { inputWithResult } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { typedText } from '../kit/typed-text.ts';
import type { HelpEntry } from '../models/help-model.ts';
import type { Paging } from '../models/list-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { editChangeBlocks } from '../requests/edit-changes.ts';
import { installBlocks, targetFactBlocks } from '../requests/facts.ts';
import { leftOutRows } from '../requests/left-out.ts';
import { removalBlocks } from '../requests/removal.ts';
import { reasonText, requestTitle } from '../requests/request-card.ts';
import {
  costText,
  lastsText,
  planText,
  sampleText,
  summaryBlocks,
  unusualText,
} from '../requests/rollout/plan-text.ts';
import { MAX_LISTED } from '../requests/rollout/rollout-card.ts';
import { selectedByText } from '../software/package-reading.ts';
import { pausedByText } from '../status/pause-card.ts';
import { actionSentence, countText, listMrkdwn } from '../text/common-text.ts';
import { leftOutBlocks } from './explained-devices.ts';

/** A command that changes nothing in the management service, whatever its arguments. */
type ExplainCommandView = {
  readonly kind: 'explain';
  readonly command: HelpEntry;
  readonly what: 'read' | 'setting';
  /** The permission that it needs; null: anyone may use it. */
  readonly need: Permission | null;
  readonly root: string;
};

/** A command planned as if it were requested. Nothing is requested or sent. */
type ExplainPlanView = {
  readonly kind: 'explain-plan';
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly reason: string | null;
  /** The permission that it needs. */
  readonly need: Permission;
  /** Whether the reader has it; absent where that is not known. */
  readonly mayRequest?: boolean;
  /** How long, in milliseconds, a request would wait for an approver; null: it needs no approval. */
  readonly approvalMs: number | null;
  /** The pause during which the command would be refused; null: changes are not paused. */
  readonly pause: PauseRecord | null;
  readonly rollout?: ExplainedRollout;
  /** Devices that it would leave out. */
  readonly leftOut?: readonly UnrequestedTarget[];
  /** The reason that is missing is required from so many devices on. */
  readonly reasonFrom?: number;
  /** Without personal data. */
  readonly shared?: true;
};

/** Package names listed; the others are counted. */
const PACKAGES = 30;

export function renderExplainCommand({ command, what, need, root }: ExplainCommandView): RenderedMessage {
  const typed = inlineCode(`${root} ${command.name}`);
  const effect =
    what === 'read'
      ? md`${typed} only reads. It changes nothing and needs no approval.`
      : md`${typed} changes only Patchbay’s own settings. It changes nothing in the management service.`;
  return buildMessage({
    text: effect,
    body: [
      section(effect),
      section(typedText(command.summary)),
      context(need === null ? md`Anyone can use it.` : md`Needs ${roleText(need)}.`),
    ],
  });
}

export function renderExplainPlan(view: ExplainPlanView): RenderedMessage {
  const { command, targets } = view;
  const what = md`This would ${actionSentence(command, targets)}.`;
  const [first] = targets;
  const asOf =
    first === undefined
      ? []
      : [md`${trustedMrkdwn(upperFirst(recordKindOf(command)))} data as of ${relativeDate(first.asOf)}.`];
  const notes = [...asOf, ...driftText(view)];
  return buildMessage({
    text: md`${what} Nothing was requested or sent.${pausedNote(view)}`,
    body: [
      section(md`*Preview:* ${requestTitle({ action: command, targets })}\nNothing was requested or sent.`),
      ...(view.pause === null
        ? []
        : [
            section(
              md`*All changes are paused* ${pausedByText(view.pause)}. This would be refused until changes are resumed.`,
            ),
          ]),
      section(approvalRuleText(view)),
      ...(view.reason === null ? [] : [section(reasonText(view))]),
      ...rolloutPlanBlocks(view),
      ...packagesText(view),
      ...installBlocks(targets, command),
      ...explainedDeviceBlocks(view),
      ...leftOutSummary(view),
      ...editChangeBlocks(command, targets, view.shared),
      ...removalBlocks(command, targets),
    ],
    footer: [
      ...(notes.length === 0 ? [] : [context(joinMrkdwn(notes, ' '))]),
      ...explainedDevicesButton(view),
    ],
  });
}

function pausedNote({ pause }: ExplainPlanView): Mrkdwn {
  return pause === null ? md`` : md` All changes are paused, so it would be refused now.`;
}

/** Who would have to approve the command. */
function approvalRuleText(view: ExplainPlanView): Mrkdwn {
  const { approvalMs } = view;
  const asker = requesterText(view);
  if (approvalMs === null) return md`${asker} It needs no approval, so it would be sent right away.`;
  const minutes = countText(Math.round(approvalMs / MINUTE), 'minute');
  return md`${asker} Another person with ${roleText('approve')} would have ${minutes} to approve it. ${approvedText(view)}`;
}

function approvedText({ command, rollout }: ExplainPlanView): Mrkdwn {
  if (rollout !== undefined)
    return md`Once approved, each wave would be re-checked and sent. It could be paused or stopped, but what was sent ${isEdit(command) ? md`would stay` : md`couldn’t be canceled`}.`;
  return isEdit(command)
    ? md`Once approved, it would be re-checked and sent.`
    : md`Once approved, it would be re-checked and sent, and couldn’t be canceled.`;
}

function requesterText({ need, mayRequest }: ExplainPlanView): Mrkdwn {
  if (mayRequest === undefined) return md`Requesting this needs ${roleText(need)}.`;
  return mayRequest ? md`You can request this.` : md`To request this, you need ${roleText(need)}.`;
}

/** Only commands that need approval can return for re-approval. */
function driftText({ approvalMs, command, rollout }: ExplainPlanView): readonly Mrkdwn[] {
  if (approvalMs === null) return [];
  if (rollout !== undefined) return [md`A device that changes before its wave is left out.`];
  if (isRemoval(command))
    return [
      md`If more would go with it before it is sent, or its name changes, the request goes back to the approver.`,
    ];
  const thing = trustedMrkdwn(recordKindOf(command));
  return isEdit(command)
    ? [md`If the ${thing} changes before the edit is sent, the request goes back to the approver.`]
    : [
        md`If the device changes before the command is sent (for example, it goes offline), the request goes back to the approver.`,
      ];
}

function packagesText({ command }: ExplainPlanView) {
  if (command.kind !== 'patch') return [];
  const number = countText(command.packages.length, 'package');
  return [section(md`${number}: ${listMrkdwn(command.packages, PACKAGES)}`)];
}

function roleText(need: Permission): Mrkdwn {
  const access = checkPermission(null, need);
  return access.allowed ? md`no role` : md`the ${escapeMrkdwn(access.needed)} role`;
}

/** How a change would go over several devices. */
type ExplainedRollout = {
  readonly plan: RolloutPlan;
  /** At least. */
  readonly cost: RolloutCost;
  readonly summary: RolloutSummary;
  /** All of its devices. */
  readonly list: Paging;
};

type PlannedRollout = {
  readonly rollout?: ExplainedRollout;
  readonly leftOut?: readonly UnrequestedTarget[];
  readonly reasonFrom?: number;
  /** Null: it needs no approval. */
  readonly approvalMs?: number | null;
};

/** Room for the reasons why devices stay out. */
const BUDGET = 1_200;

/** Empty for a single device. */
function rolloutPlanBlocks({ rollout, reasonFrom, approvalMs = null }: PlannedRollout): readonly Block[] {
  const plan =
    rollout === undefined
      ? []
      : [
          section(joinMrkdwn([planText(rollout.plan), lastsText(rollout.plan, approvalMs !== null)], '\n')),
          ...[costText(rollout.cost), ...selectedByText(rollout.summary)].map((text) => context(text)),
        ];
  const reason =
    reasonFrom === undefined ? [] : [context(md`From ${reasonFrom} devices on, a request needs a reason.`)];
  return [...plan, ...reason];
}

/** How many stay out for each reason. */
function leftOutSummary({ leftOut = [] }: PlannedRollout): readonly Block[] {
  return leftOutBlocks(leftOut.length, leftOutRows(leftOut), BUDGET);
}

/** As on the card of the request: a few devices one by one, many by their counts and a sample. */
function explainedDeviceBlocks({
  command,
  targets,
  shared,
  rollout,
}: {
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly shared?: boolean;
  readonly rollout?: ExplainedRollout;
}): readonly Block[] {
  if (rollout === undefined || targets.length <= MAX_LISTED)
    return targetFactBlocks(targets, shared, command);
  const { summary, plan } = rollout;
  return [
    ...unusualText(summary, { action: command, devices: targets.length, plan }).map((text) => section(text)),
    ...summaryBlocks(summary),
    section(sampleText(targets, targets.length)),
  ];
}

/** All devices in pages, and as a file; where not all are shown. */
function explainedDevicesButton({ rollout, leftOut = [] }: PlannedRollout): readonly Block[] {
  if (rollout === undefined) return [];
  const { list } = rollout;
  if (list.total <= MAX_LISTED && leftOut.length === 0) return [];
  const input = inputWithResult(list);
  return actions(
    runButton({ action: 'explain:devices', label: `Show all ${list.total}`, command: list.command, input }),
  );
}
