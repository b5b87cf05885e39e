/**
 * Every kind of view: its facts are in the file that draws it, and its row says how each surface shows it. A new kind
 * does not compile without its row.
 */

import { type ActiveSilenceView, renderActiveSilence } from './alerts/active-silence.ts';
import { type AlertCardView, renderAlertCard } from './alerts/alert-card.ts';
import { type AlertGroupView, renderAlertGroup } from './alerts/alert-group.ts';
import {
  type AcknowledgedView,
  type AlertListView,
  alertsCsv,
  type EndedSilenceView,
  renderAcknowledged,
  renderAlertList,
  renderEndedSilence,
} from './alerts/alert-list.ts';
import {
  renderSilenced,
  renderSilenceEnded,
  renderSubscribed,
  renderSubscriptions,
  renderUnsubscribed,
  type SilencedView,
  type SilenceEndedView,
  type SubscribedView,
  type SubscriptionListView,
  type UnsubscribedView,
} from './alerts/subscription-list.ts';
import {
  type ExplainCommandView,
  type ExplainPlanView,
  renderExplainCommand,
  renderExplainPlan,
} from './answers/explain-answer.ts';
import {
  type ExplainedDevicesView,
  explainedDevicesCsv,
  renderExplainedDevices,
} from './answers/explained-devices.ts';
import { type GreetingView, renderGreeting, renderWelcome, type WelcomeView } from './answers/greetings.ts';
import { type HelpView, renderHelp } from './answers/help-answer.ts';
import {
  type NamesView,
  renderNamedLines,
  renderTimezone,
  type TimezoneView,
} from './answers/named-line-list.ts';
import { type ExpandedView, renderAliasExpansion } from './answers/reply-notices.ts';
import { type AuditView, auditCsv, renderAudit } from './audit/audit-list.ts';
import { type DeviceView, renderDeviceCard } from './device/device-card.ts';
import { type DevicesView, devicesCsv, renderDeviceList } from './device/device-list.ts';
import { type DevicePageView, renderDevicePage } from './device/device-pages.ts';
import {
  type PickerView,
  pickerForChannel,
  pickerWithoutPersonal,
  renderDevicePicker,
} from './device/device-picker.ts';
import { type QueueView, queueCsv, renderQueueList } from './device/device-queue.ts';
import { renderTimeline, type TimelineView } from './device/device-timeline.ts';
import { type EventsView, eventsCsv, renderEventList } from './device/event-list.ts';
import { type ChoicesView, renderNameChoices } from './fleet/choices.ts';
import { type ComplianceView, complianceCsv, renderCompliance } from './fleet/compliance-report.ts';
import { type PreviewView, previewCsv, renderFilterPreview } from './fleet/filter-preview.ts';
import { type GroupView, renderGroupDetails } from './fleet/group-details.ts';
import { type GroupListView, groupsCsv, renderGroupList } from './fleet/group-list.ts';
import { type OrganizationView, renderOrganization } from './fleet/organization-details.ts';
import { type PolicyView, renderPolicyDetails } from './fleet/policy-details.ts';
import { type PolicyListView, policiesCsv, renderPolicyList } from './fleet/policy-list.ts';
import { type MissingInputView, renderMissingInput } from './forms/form-error-text.ts';
import type { CsvTable } from './kit/csv.ts';
import type { RenderedMessage } from './models/rendered-model.ts';
import { type ProblemView, renderProblem } from './problems/problem.ts';
import { type ApprovalListView, approvalsCsv, renderApprovalList } from './requests/approval-list.ts';
import {
  type CompletionView,
  type ReturnedView,
  renderCompletionMessage,
  renderReturnedForReapproval,
} from './requests/completion-message.ts';
import { type DecidedView, renderDecisionAnswer } from './requests/decision-answer.ts';
import { type CardMovedView, renderCopyPressed } from './requests/moved-card.ts';
import { type OperationListView, operationsCsv, renderOperationList } from './requests/operation-list.ts';
import { type RequestedAgainView, renderRequestedAgain } from './requests/request-again.ts';
import {
  renderOperationStarted,
  renderRequestWaiting,
  renderTooLate,
  type StartedView,
  type TooLateView,
  type WaitingView,
} from './requests/request-answers.ts';
import type { RequestCardView } from './requests/request-card.ts';
import { type ResultsView, renderResults, resultsCsv } from './requests/rollout/result-list.ts';
import { renderAnyRequestCard } from './requests/rollout/rollout-card.ts';
import { type RolloutLineView, renderRolloutLine } from './requests/rollout/rollout-line.ts';
import {
  type ExportedView,
  type PostedView,
  renderExportSent,
  renderShareable,
  renderShared,
  renderSharedNotice,
  type ShareableView,
  type SharedView,
} from './sharing/shared-answer.ts';
import { type MissingView, missingCsv, renderMissingList } from './software/missing-list.ts';
import { type PackagesView, packagesCsv, renderPackageList } from './software/package-list.ts';
import { type PauseCardView, type PauseView, renderPause, renderPauseCard } from './status/pause-card.ts';
import { renderStatus, type StatusView } from './status/status-report.ts';
import { renderTroubleCard, type TroubleView } from './status/trouble-card.ts';

export type View =
  | ActiveSilenceView
  | AlertCardView
  | AlertGroupView
  | EndedSilenceView
  | AlertListView
  | AcknowledgedView
  | SubscriptionListView
  | SubscribedView
  | UnsubscribedView
  | SilencedView
  | SilenceEndedView
  | ExplainCommandView
  | ExplainPlanView
  | ExplainedDevicesView
  | GreetingView
  | WelcomeView
  | HelpView
  | NamesView
  | TimezoneView
  | ExpandedView
  | AuditView
  | DeviceView
  | DevicesView
  | DevicePageView
  | PickerView
  | QueueView
  | TimelineView
  | EventsView
  | ChoicesView
  | ComplianceView
  | PreviewView
  | GroupView
  | GroupListView
  | OrganizationView
  | PolicyView
  | PolicyListView
  | MissingInputView
  | ProblemView
  | ApprovalListView
  | CompletionView
  | ReturnedView
  | DecidedView
  | CardMovedView
  | OperationListView
  | ResultsView
  | RolloutLineView
  | RequestedAgainView
  | WaitingView
  | StartedView
  | TooLateView
  | RequestCardView
  | ShareableView
  | PostedView
  | ExportedView
  | SharedView
  | MissingView
  | PackagesView
  | PauseView
  | PauseCardView
  | StatusView
  | TroubleView;

export type ViewOf<K extends View['kind']> = Extract<View, { readonly kind: K }>;

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

const VIEWS: { readonly [K in View['kind']]: ViewRow<ViewOf<K>> } = {
  'silence-on': { card: renderActiveSilence },
  alert: { card: renderAlertCard },
  storm: { card: renderAlertGroup },
  'silence-over': { card: renderEndedSilence },
  alerts: { card: renderAlertList, csv: alertsCsv },
  taken: { card: renderAcknowledged },
  subscriptions: { card: renderSubscriptions },
  subscribed: { card: renderSubscribed },
  unsubscribed: { card: renderUnsubscribed },
  silenced: { card: renderSilenced },
  sounding: { card: renderSilenceEnded },
  explain: { card: renderExplainCommand },
  'explain-plan': { card: renderExplainPlan, mask: withoutPersonal },
  'explain-devices': { card: renderExplainedDevices, csv: explainedDevicesCsv, mask: withoutPersonal },
  greeting: { card: renderGreeting },
  welcome: { card: renderWelcome },
  help: { card: renderHelp },
  names: { card: renderNamedLines },
  zone: { card: renderTimezone },
  expanded: { card: renderAliasExpansion },
  audit: { card: renderAudit, csv: auditCsv },
  device: {
    card: renderDeviceCard,
    share: withoutPersonal,
    mask: withoutPersonal,
    log: ({ device }) => ({ device: device.id }),
  },
  devices: { card: renderDeviceList, csv: devicesCsv, share: withoutPersonal },
  'device-page': { card: renderDevicePage, share: withoutPersonal, mask: withoutPersonal },
  picker: { card: renderDevicePicker, share: pickerForChannel, mask: pickerWithoutPersonal },
  queue: { card: renderQueueList, csv: queueCsv, share: asItIs },
  timeline: { card: renderTimeline, share: asItIs },
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
  problem: {
    card: renderProblem,
    log: ({ problem }) => ({
      outcome: problem.kind,
      ...('reference' in problem ? { reference: problem.reference } : {}),
    }),
  },
  approvals: { card: renderApprovalList, csv: approvalsCsv, mask: withoutPersonal },
  told: { card: renderCompletionMessage },
  returned: { card: renderReturnedForReapproval },
  decided: {
    card: renderDecisionAnswer,
    log: ({ outcome }) => ({
      outcome: outcome.kind,
      ...('request' in outcome ? { request: outcome.request.id } : {}),
    }),
  },
  'card-moved': { card: renderCopyPressed },
  operations: { card: renderOperationList, csv: operationsCsv },
  results: { card: renderResults, csv: resultsCsv, log: ({ request }) => ({ request: request.id }) },
  'requested-again': { card: renderRequestedAgain },
  asked: { card: renderRequestWaiting, log: ({ request }) => ({ request: request.id }) },
  started: { card: renderOperationStarted, log: ({ requestId }) => ({ request: requestId }) },
  'too-late': { card: renderTooLate },
  request: { card: renderAnyRequestCard },
  'rollout-line': { card: renderRolloutLine },
  shareable: { card: renderShareable },
  posted: { card: renderSharedNotice },
  exported: { card: renderExportSent },
  shared: { card: renderShared },
  missing: { card: renderMissingList, csv: missingCsv, share: asItIs },
  packages: { card: renderPackageList, csv: packagesCsv, share: asItIs },
  pause: { card: renderPause },
  'pause-card': { card: renderPauseCard },
  status: { card: renderStatus },
  trouble: { card: renderTroubleCard },
};

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
