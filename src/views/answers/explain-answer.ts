/** The answer of `explain`: what a command would do, on which devices, and who would have to approve it. */
import { type DeviceFacts, packageNames, type TargetFacts } from '../../fleet/facts/facts.ts';
import { type FleetAction, isEdit, isRemoval, recordKindOf } from '../../fleet/model/actions.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { checkPermission, type Permission } from '../../lib/access.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { durationText, upperFirst } from '../../lib/text.ts';
import type { RolloutCost, RolloutPlan } from '../../rollout/plan.ts';
import type { RolloutSummary } from '../../rollout/summary.ts';
import type { Judgement } from '../../rules/rules.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import { selectedByText } from '../fleet/completeness.ts';
import { actions, context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import {
  escapeMrkdwn,
  inlineCode,
  joinMrkdwn,
  type Mrkdwn,
  md,
  trustedMrkdwn,
  unescapeMrkdwn,
} from '../kit/escape.ts';
import type { Block, RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { inputWithResult, pageButtons } from '../kit/pager.ts';
import { type CsvCell, type CsvTable, csvList, csvTable } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { demandLines, neededReasonText, refusingRulesText, runningRulesText } from '../requests/demands.ts';
import { editChangeBlocks, installBlocks, removalBlocks, targetFactBlocks } from '../requests/facts.ts';
import {
  costText,
  lastsText,
  planText,
  sampleText,
  summaryBlocks,
  unusualText,
} from '../requests/plan-text.ts';
import { leftOutRow, leftOutRows } from '../requests/request-answers.ts';
import { reasonText, requestTitle } from '../requests/request-card.ts';
import { MAX_LISTED } from '../requests/rollout-card.ts';
import { pausedByText } from '../status/pause-card.ts';
import {
  actionSentence,
  actionTitle,
  countText,
  identityOf,
  listMrkdwn,
  typedText,
} from '../text/common-text.ts';
import type { HelpEntry } from './help-answer.ts';

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
  readonly need: Permission;
  /** Whether the reader has it; absent where that is not known. */
  readonly mayRequest?: boolean;
  readonly judgement: Judgement;
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
  const { command, targets, leftOut = [] } = view;
  const what = md`This would ${actionSentence(command, targets)}.`;
  const [first] = targets;
  const asOf =
    first === undefined
      ? []
      : [md`${trustedMrkdwn(upperFirst(recordKindOf(command)))} data as of ${relativeDate(first.asOf)}.`];
  const notes = [...asOf, ...driftText(view)];
  const paused = view.pause === null ? md`` : md` All changes are paused, so it would be refused now.`;
  return buildMessage({
    text: md`${what} Nothing was requested or sent.${paused}`,
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
      ...leftOutBlocks(leftOut.length, leftOutRows(leftOut), BUDGET),
      ...editChangeBlocks(command, targets, view.shared),
      ...removalBlocks(command, targets),
    ],
    footer: [
      ...(notes.length === 0 ? [] : [context(joinMrkdwn(notes, ' '))]),
      ...explainedDevicesButton(view),
    ],
  });
}

function approvalRuleText(view: ExplainPlanView): Mrkdwn {
  const { judgement } = view;
  const asker = requesterText(view);
  switch (judgement.kind) {
    case 'refused':
      return md`You can’t request this now. ${refusingRulesText(judgement.rules)}`;
    case 'runs':
      return judgement.by.length === 0
        ? md`${asker} It needs no approval, so it would be sent right away.`
        : md`${asker} It needs no approval (${runningRulesText(judgement.by)}), so it would be sent right away.`;
    case 'asks': {
      const time = trustedMrkdwn(durationText(judgement.expiresMs));
      const reasons = judgement.reasons.map(({ rule, reason }) =>
        neededReasonText(rule, reason === 'required' ? null : reason.source),
      );
      const needed = reasons.length === 0 ? md`` : md`${joinMrkdwn(reasons, ' ')} `;
      const lines = demandLines({ demands: judgement.demands, approvals: [] });
      return lines === null
        ? md`${asker} Another person with ${roleText('approve')} would have ${time} to approve it. ${needed}${approvedText(view)}`
        : md`${asker} Others would have ${time} to approve it:\n${lines}\n${needed}${approvedText(view)}`;
    }
  }
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
function driftText({ judgement, command, rollout }: ExplainPlanView): readonly Mrkdwn[] {
  if (judgement.kind !== 'asks') return [];
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
  readonly list: Paging;
};

/** Room for the reasons why devices stay out. */
const BUDGET = 1_200;

/** Empty for a single device. */
function rolloutPlanBlocks({ rollout, reasonFrom, judgement }: ExplainPlanView): readonly Block[] {
  const plan =
    rollout === undefined
      ? []
      : [
          section(
            joinMrkdwn([planText(rollout.plan), lastsText(rollout.plan, judgement.kind === 'asks')], '\n'),
          ),
          ...[costText(rollout.cost), ...selectedByText(rollout.summary)].map((text) => context(text)),
        ];
  const reason =
    reasonFrom === undefined ? [] : [context(md`From ${reasonFrom} devices on, a request needs a reason.`)];
  return [...plan, ...reason];
}

/** As on the card of the request: a few devices one by one, many by their counts and a sample. */
function explainedDeviceBlocks({ command, targets, shared, rollout }: ExplainPlanView): readonly Block[] {
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
function explainedDevicesButton({ rollout, leftOut = [] }: ExplainPlanView): readonly Block[] {
  if (rollout === undefined) return [];
  const { list } = rollout;
  if (list.total <= MAX_LISTED && leftOut.length === 0) return [];
  const input = inputWithResult(list);
  return actions(
    runButton({ action: 'explain:devices', label: `Show all ${list.total}`, command: list.command, input }),
  );
}

/** A device of a change that is only explained: those that it is for come first, then those that stay out. */
export type ExplainedRow =
  | { readonly kind: 'target'; readonly facts: TargetFacts }
  | { readonly kind: 'left-out'; readonly target: UnrequestedTarget };

export type ExplainedDevicesView = {
  readonly kind: 'explain-devices';
  readonly command: FleetAction;
  /** How many it is for; the others stay out. */
  readonly devices: number;
  readonly rows: readonly ExplainedRow[];
  readonly paging: Paging;
  /** Without personal data. */
  readonly shared?: true;
};

const DEVICES_BUDGET = 4_000;

export function renderExplainedDevices(view: ExplainedDevicesView): RenderedMessage {
  const { command, devices, rows, paging, shared } = view;
  const title = md`*Preview:* ${actionTitle(command, devices)}`;
  const out = paging.total - devices;
  const leftOut = out === 0 ? md`` : md`, ${countText(out, 'device')} left out`;
  const targets = rows.flatMap((row) => (row.kind === 'target' ? row.facts : []));
  const others = rows.flatMap((row) => (row.kind === 'left-out' ? leftOutRow(row.target) : []));
  return buildMessage({
    text: md`${title}. Nothing was requested or sent.`,
    body: [
      section(md`${title}\nNothing was requested or sent.`),
      ...targetFactBlocks(targets, shared, command),
      ...leftOutBlocks(others.length, others, DEVICES_BUDGET),
    ],
    footer: pageButtons(paging, md`${countText(devices, 'device')}${leftOut}`),
  });
}

/** How many stay out, above `rows` that say why. */
function leftOutBlocks(devices: number, rows: readonly Mrkdwn[], budget: number): readonly Block[] {
  if (devices === 0) return [];
  return [
    section(md`*Left out: ${countText(devices, 'device')}*`),
    ...rowBlocks(rows, { budget, more: () => md`Not all of them are shown.` }),
  ];
}

export function explainedDevicesCsv({ rows }: ExplainedDevicesView): CsvTable {
  const fact = (cell: (facts: DeviceFacts) => CsvCell) => (row: ExplainedRow) =>
    row.kind === 'target' && row.facts.deviceId !== null ? cell(row.facts) : null;
  const named = (row: ExplainedRow) => identityOf(row.kind === 'target' ? row.facts : row.target);
  return csvTable(rows, {
    device: (row) => named(row).displayName,
    hostname: (row) => named(row).hostname,
    id: (row) => named(row).id,
    group: fact(({ groupName }) => groupName),
    system: fact(systemName),
    connected: fact(({ connected }) => connected),
    packages: fact(({ packages }) => csvList(packageNames(packages))),
    'left out because': (row) =>
      row.kind === 'target' ? null : unescapeMrkdwn(problemText(row.target.problem, ROOT_COMMAND).what),
  });
}
