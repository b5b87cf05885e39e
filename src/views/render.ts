/** View to message: exhaustive, so a new view does not compile until it can be drawn. */

import { renderActiveSilence } from './alerts/active-silence.ts';
import { renderAlertCard } from './alerts/alert-card.ts';
import { renderAlertGroup } from './alerts/alert-group.ts';
import { renderAcknowledged, renderAlertList, renderEndedSilence } from './alerts/alert-list.ts';
import {
  renderSilenced,
  renderSilenceEnded,
  renderSubscribed,
  renderSubscriptions,
  renderUnsubscribed,
} from './alerts/subscription-list.ts';
import { renderExplainCommand, renderExplainPlan } from './answers/explain-answer.ts';
import { renderGreeting, renderWelcome } from './answers/greetings.ts';
import { renderHelp } from './answers/help-answer.ts';
import { renderNamedLines, renderTimezone } from './answers/named-line-list.ts';
import { renderAliasExpansion } from './answers/reply-notices.ts';
import { renderAudit } from './audit/audit-list.ts';
import { renderDeviceCard } from './device/device-card.ts';
import { renderDeviceList } from './device/device-list.ts';
import { renderDevicePage } from './device/device-pages.ts';
import { renderDevicePicker } from './device/device-picker.ts';
import { renderQueueList } from './device/device-queue.ts';
import { renderTimeline } from './device/device-timeline.ts';
import { renderEventList } from './device/event-list.ts';
import { renderNameChoices } from './fleet/choices.ts';
import { renderCompliance } from './fleet/compliance-report.ts';
import { renderFilterPreview } from './fleet/filter-preview.ts';
import { renderGroupDetails } from './fleet/group-details.ts';
import { renderGroupList } from './fleet/group-list.ts';
import { renderOrganization } from './fleet/organization-details.ts';
import { renderPolicyDetails } from './fleet/policy-details.ts';
import { renderPolicyList } from './fleet/policy-list.ts';
import { renderMissingInput } from './forms/form-error-text.ts';
import type { RenderedMessage, View } from './model.ts';
import { renderProblem } from './problems/problem.ts';
import { renderApprovalList } from './requests/approval-list.ts';
import { renderCompletionMessage, renderReturnedForReapproval } from './requests/completion-message.ts';
import { renderDecisionAnswer } from './requests/decision-answer.ts';
import { renderCopyPressed } from './requests/moved-card.ts';
import { renderOperationList } from './requests/operation-list.ts';
import { renderRequestedAgain } from './requests/request-again.ts';
import { renderOperationStarted, renderRequestWaiting, renderTooLate } from './requests/request-answers.ts';
import { renderRequestCard } from './requests/request-card.ts';
import {
  renderExportSent,
  renderShareable,
  renderShared,
  renderSharedNotice,
} from './sharing/shared-answer.ts';
import { renderMissingList } from './software/missing-list.ts';
import { renderPackageList } from './software/package-list.ts';
import { renderPause, renderPauseCard } from './status/pause-card.ts';
import { renderStatus } from './status/status-report.ts';
import { renderTroubleCard } from './status/trouble-card.ts';

/** Draws a view within Slack's limits. Pure. */
export function renderView(view: View): RenderedMessage {
  switch (view.kind) {
    case 'device':
      return renderDeviceCard(view);
    case 'trouble':
      return renderTroubleCard(view);
    case 'devices':
      return renderDeviceList(view);
    case 'device-page':
      return renderDevicePage(view);
    case 'timeline':
      return renderTimeline(view);
    case 'packages':
      return renderPackageList(view);
    case 'explain':
      return renderExplainCommand(view);
    case 'explain-plan':
      return renderExplainPlan(view);
    case 'missing':
      return renderMissingList(view);
    case 'queue':
      return renderQueueList(view);
    case 'events':
      return renderEventList(view);
    case 'help':
      return renderHelp(view);
    case 'picker':
      return renderDevicePicker(view);
    case 'request':
      return renderRequestCard(view);
    case 'alert':
      return renderAlertCard(view);
    case 'asked':
      return renderRequestWaiting(view);
    case 'started':
      return renderOperationStarted(view);
    case 'requested-again':
      return renderRequestedAgain(view, view.view && renderView(view.view));
    case 'too-late':
      return renderTooLate(view);
    case 'decided':
      return renderDecisionAnswer(view);
    case 'greeting':
      return renderGreeting(view);
    case 'welcome':
      return renderWelcome(view);
    case 'fill-in':
      return renderMissingInput(view);
    case 'storm':
      return renderAlertGroup(view);
    case 'silence-on':
      return renderActiveSilence(view);
    case 'silence-over':
      return renderEndedSilence(view);
    case 'alerts':
      return renderAlertList(view);
    case 'taken':
      return renderAcknowledged(view);
    case 'subscriptions':
      return renderSubscriptions(view);
    case 'subscribed':
      return renderSubscribed(view);
    case 'unsubscribed':
      return renderUnsubscribed(view);
    case 'silenced':
      return renderSilenced(view);
    case 'sounding':
      return renderSilenceEnded(view);
    case 'choices':
      return renderNameChoices(view);
    case 'compliance':
      return renderCompliance(view);
    case 'group':
      return renderGroupDetails(view);
    case 'groups':
      return renderGroupList(view);
    case 'organization':
      return renderOrganization(view);
    case 'policies':
      return renderPolicyList(view);
    case 'policy':
      return renderPolicyDetails(view);
    case 'preview':
      return renderFilterPreview(view);
    case 'approvals':
      return renderApprovalList(view);
    case 'audit':
      return renderAudit(view);
    case 'operations':
      return renderOperationList(view);
    case 'status':
      return renderStatus(view);
    case 'shareable':
      return renderShareable(renderView(view.view), view);
    case 'posted':
      return renderSharedNotice(view);
    case 'exported':
      return renderExportSent(view);
    case 'shared':
      return renderShared(view, renderView);
    case 'names':
      return renderNamedLines(view);
    case 'zone':
      return renderTimezone(view);
    case 'pause':
      return renderPause(view);
    case 'pause-card':
      return renderPauseCard(view);
    case 'expanded':
      return renderAliasExpansion(renderView(view.view), view);
    case 'card-moved':
      return renderCopyPressed(view.link);
    case 'told':
      return renderCompletionMessage(view);
    case 'returned':
      return renderReturnedForReapproval(view);
    case 'problem':
      return renderProblem(view.problem, view.root);
  }
}
