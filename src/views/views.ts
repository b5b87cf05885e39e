/** Every kind of view: its row says how each surface shows it, and a new kind does not compile without its row. */
import { renderAlertCard, renderMovedAlert } from './alerts/alert-card.ts';
import {
  alertsCsv,
  membersCsv,
  renderAcknowledged,
  renderAlertList,
  renderEndedSilence,
  renderMemberList,
} from './alerts/alert-list.ts';
import {
  renderActiveSilence,
  renderSilenced,
  renderSilenceEnded,
  renderSubscribed,
  renderSubscriptions,
  renderUnsubscribed,
} from './alerts/subscription-list.ts';
import {
  explainedDevicesCsv,
  renderExplainCommand,
  renderExplainedDevices,
  renderExplainPlan,
} from './answers/explain-answer.ts';
import { renderGreeting, renderHelp, renderRoles, renderWelcome } from './answers/help-answer.ts';
import { renderNamedLines, renderTimezone } from './answers/named-line-list.ts';
import { renderAliasExpansion } from './answers/reply-notices.ts';
import { auditCsv, renderAudit } from './audit/audit-list.ts';
import { renderDeviceCard } from './device/device-card.ts';
import {
  devicesCsv,
  pickerWithoutPersonal,
  renderDeviceList,
  renderDevicePicker,
} from './device/device-list.ts';
import { renderDevicePage } from './device/device-pages.ts';
import { queueCsv, renderQueueList } from './device/device-queue.ts';
import { eventsCsv, renderEventList, renderTimeline, timelineForChannel } from './device/event-list.ts';
import { complianceCsv, renderCompliance } from './fleet/compliance-report.ts';
import {
  groupsCsv,
  renderGroupDetails,
  renderGroupList,
  renderOrganization,
  renderPolicyDetails,
} from './fleet/details.ts';
import { previewCsv, renderFilterPreview } from './fleet/filter-preview.ts';
import { policiesCsv, renderPolicyList } from './fleet/policy-list.ts';
import { renderMissingInput } from './forms/form-error-text.ts';
import type { RenderedMessage } from './kit/limits.ts';
import type { CsvTable } from './kit/table.ts';
import { renderNameChoices, renderProblem } from './problems/problem.ts';
import {
  renderCompletionMessage,
  renderHeldMessage,
  renderReturnedForReapproval,
} from './requests/completion-message.ts';
import { renderNudge } from './requests/nudge.ts';
import {
  renderCopyPressed,
  renderDecisionAnswer,
  renderOperationStarted,
  renderRequestedAgain,
  renderRequestWaiting,
  renderTooLate,
} from './requests/request-answers.ts';
import {
  approvalsCsv,
  operationsCsv,
  renderApprovalList,
  renderOperationList,
  renderResults,
  resultsCsv,
} from './requests/request-lists.ts';
import { renderAnyRequestCard, renderRolloutLine } from './requests/rollout-card.ts';
import {
  renderExportSent,
  renderShareable,
  renderShared,
  renderSharedNotice,
} from './sharing/shared-answer.ts';
import { missingCsv, renderMissingList } from './software/missing-list.ts';
import { packagesCsv, renderPackageList } from './software/package-list.ts';
import { renderPause, renderPauseCard } from './status/pause-card.ts';
import { renderRemovals, renderStatus } from './status/status-report.ts';
import { renderTroubleCard } from './status/trouble-text.ts';

/** All views: what the rows of the table draw. */
export type View = Parameters<(typeof TABLE)[keyof typeof TABLE]['card']>[0];

type ViewOf<K extends View['kind']> = Extract<View, { readonly kind: K }>;

/** Draws a view that another contains; `forChannel` is null where that view is private. */
export type NestedViews = {
  readonly draw: (view: View) => RenderedMessage;
  readonly forChannel: (view: View) => View | null;
};

type ViewRow<V> = {
  /** The message within Slack's limits, with its plain form where it has tables or charts. */
  readonly card: (view: V, nested: NestedViews) => RenderedMessage;
  /** The list as a file; absent: it is no list. */
  readonly csv?: (view: V) => CsvTable;
  /** As a channel may see it: without logged-in users, serial numbers and addresses. Absent: it is private. */
  readonly share?: (view: V) => V;
  /**
   * For a reader who may not see personal data. Its source holds none for them either; here the rows are left out, which
   * would otherwise say “unknown”. Absent: it has no such rows.
   */
  readonly mask?: (view: V) => V;
  /** What its log line says beside its kind: ids only. */
  readonly log?: (view: V) => Readonly<Record<string, string | number>>;
};

/** A row whose other functions learn their view from what draws it. */
function row<V>(known: ViewRow<V>): ViewRow<V> {
  return known;
}

const TABLE = {
  'silence-on': { card: renderActiveSilence },
  alert: { card: renderAlertCard },
  'alert-moved': { card: renderMovedAlert },
  'silence-over': { card: renderEndedSilence },
  alerts: { card: renderAlertList, csv: alertsCsv },
  'alert-members': { card: renderMemberList, csv: membersCsv },
  acknowledged: { card: renderAcknowledged },
  subscriptions: { card: renderSubscriptions },
  subscribed: { card: renderSubscribed },
  unsubscribed: { card: renderUnsubscribed },
  silenced: { card: renderSilenced },
  'silence-ended': { card: renderSilenceEnded },
  explain: { card: renderExplainCommand },
  'explain-plan': { card: renderExplainPlan, mask: withoutPersonal },
  'explain-devices': { card: renderExplainedDevices, csv: explainedDevicesCsv, mask: withoutPersonal },
  greeting: { card: renderGreeting },
  welcome: { card: renderWelcome },
  help: { card: renderHelp },
  roles: { card: renderRoles },
  'named-lines': { card: renderNamedLines },
  timezone: { card: renderTimezone },
  expanded: { card: renderAliasExpansion },
  audit: { card: renderAudit, csv: auditCsv },
  device: row({
    card: renderDeviceCard,
    share: withoutPersonal,
    mask: withoutPersonal,
    log: ({ device }) => ({ device: device.id }),
  }),
  devices: { card: renderDeviceList, csv: devicesCsv, share: withoutPersonal },
  'device-page': { card: renderDevicePage, share: withoutPersonal, mask: withoutPersonal },
  picker: { card: renderDevicePicker, share: pickerWithoutPersonal, mask: pickerWithoutPersonal },
  queue: { card: renderQueueList, csv: queueCsv, share: asItIs },
  timeline: { card: renderTimeline, share: timelineForChannel },
  events: { card: renderEventList, csv: eventsCsv, share: asItIs },
  choices: { card: renderNameChoices },
  compliance: { card: renderCompliance, csv: complianceCsv, share: asItIs },
  preview: { card: renderFilterPreview, csv: previewCsv },
  group: { card: renderGroupDetails, share: asItIs },
  groups: { card: renderGroupList, csv: groupsCsv, share: asItIs },
  organization: { card: renderOrganization },
  policy: { card: renderPolicyDetails, share: asItIs },
  policies: { card: renderPolicyList, csv: policiesCsv, share: asItIs },
  'fill-in': { card: renderMissingInput },
  problem: row({
    card: renderProblem,
    log: ({ problem }) => ({
      outcome: problem.kind,
      ...('reference' in problem ? { reference: problem.reference } : {}),
    }),
  }),
  approvals: { card: renderApprovalList, csv: approvalsCsv, mask: withoutPersonal },
  completion: { card: renderCompletionMessage },
  returned: { card: renderReturnedForReapproval },
  held: { card: renderHeldMessage },
  decided: row({
    card: renderDecisionAnswer,
    log: ({ outcome }) => ({
      outcome: outcome.kind,
      ...('request' in outcome ? { request: outcome.request.id } : {}),
    }),
  }),
  'card-moved': { card: renderCopyPressed },
  operations: { card: renderOperationList, csv: operationsCsv },
  results: row({ card: renderResults, csv: resultsCsv, log: ({ request }) => ({ request: request.id }) }),
  'requested-again': { card: renderRequestedAgain },
  'approval-requested': row({ card: renderRequestWaiting, log: ({ request }) => ({ request: request.id }) }),
  started: row({ card: renderOperationStarted, log: ({ requestId }) => ({ request: requestId }) }),
  'too-late': { card: renderTooLate },
  request: { card: renderAnyRequestCard },
  'rollout-line': { card: renderRolloutLine },
  nudge: { card: renderNudge },
  shareable: { card: renderShareable },
  posted: { card: renderSharedNotice },
  exported: { card: renderExportSent },
  shared: { card: renderShared },
  missing: { card: renderMissingList, csv: missingCsv, share: asItIs },
  packages: { card: renderPackageList, csv: packagesCsv, share: asItIs },
  pause: { card: renderPause },
  'pause-card': { card: renderPauseCard },
  removals: { card: renderRemovals },
  status: { card: renderStatus },
  trouble: { card: renderTroubleCard },
};

const VIEWS: { readonly [K in View['kind']]: ViewRow<ViewOf<K>> } = TABLE;

function asItIs<V>(view: V): V {
  return view;
}

function withoutPersonal<V extends { readonly shared?: true }>(view: V): V {
  return { ...view, shared: true };
}

/** The row of this view. TypeScript cannot tie the key of a table to its value by itself. */
export function rowOf<K extends View['kind']>(view: ViewOf<K>): ViewRow<ViewOf<K>> {
  const kind: K = view.kind;
  return VIEWS[kind];
}

export function renderView(view: View): RenderedMessage {
  return rowOf(view).card(view, { draw: renderView, forChannel: viewForChannel });
}

/** The answer as a channel may see it; null for answers that are private. */
export function viewForChannel(view: View): View | null {
  return rowOf(view).share?.(view) ?? null;
}

/** The answer for a reader who may not see personal data. */
export function withoutPersonalFields(view: View): View {
  return rowOf(view).mask?.(view) ?? view;
}

/** The types of views that other folders import; the files of views import each from its own file. */
export type { HelpEntry, HelpSection } from './answers/help-answer.ts';
export type { ButtonValue, ControlKind } from './kit/buttons.ts';
export type { Block, RenderedMessage } from './kit/limits.ts';
export type {
  AuditActivity,
  AuditNames,
  DevicesRow,
  Paging,
  RefreshReason,
  RepeatedCommand,
} from './models/list-model.ts';
export type { Changed, Problem, UsageFault } from './models/problem-model.ts';
export type { DecisionOutcome } from './models/request-model.ts';
