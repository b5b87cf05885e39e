/** View to message: exhaustive, so a new view does not compile until it can be drawn. */

import { renderAlert } from './alerts/alert.ts';
import { renderAlerts, renderSilenceOver, renderTaken } from './alerts/alerts.ts';
import { renderSilenceOn } from './alerts/silence-on.ts';
import { renderStorm } from './alerts/storm.ts';
import {
  renderSilenced,
  renderSounding,
  renderSubscribed,
  renderSubscriptions,
  renderUnsubscribed,
} from './alerts/subscriptions.ts';
import { renderApproval } from './approval.ts';
import { renderApprovals } from './approvals.ts';
import { renderAsked } from './asked.ts';
import { renderAudit } from './audit.ts';
import { renderChoices } from './choices.ts';
import { renderCompliance } from './compliance.ts';
import { renderDecided } from './decided.ts';
import { renderDevice } from './device/device.ts';
import { renderDevicePage } from './device/device-pages.ts';
import { renderDevices } from './devices.ts';
import { renderEvents } from './events.ts';
import { renderExpanded } from './expanded.ts';
import { renderExplain, renderExplainPlan } from './explain.ts';
import { renderExported } from './exported.ts';
import { renderFillIn } from './forms/fill-in.ts';
import { renderGreeting } from './greeting.ts';
import { renderGroup } from './group.ts';
import { renderGroups } from './groups.ts';
import { renderHelp } from './help.ts';
import { renderMissing } from './missing.ts';
import type { RenderedMessage, View } from './model.ts';
import { renderCardMoved } from './moved.ts';
import { renderNames } from './names.ts';
import { renderOperation } from './operation.ts';
import { renderOperations } from './operations.ts';
import { renderOrganization } from './organization.ts';
import { renderPackages } from './packages.ts';
import { renderPause, renderPauseCard } from './pause.ts';
import { renderPicker } from './picker.ts';
import { renderPolicies } from './policies.ts';
import { renderPolicy } from './policy.ts';
import { renderPosted } from './posted.ts';
import { renderPreview } from './preview.ts';
import { renderProblem } from './problems/problem.ts';
import { renderQueue } from './queue.ts';
import { renderRequestedAgain } from './requested-again.ts';
import { renderShareable, renderShared } from './share.ts';
import { renderStarted } from './started.ts';
import { renderStatus } from './status.ts';
import { renderTimeline } from './timeline.ts';
import { renderZone } from './timezone.ts';
import { renderReturned, renderTold } from './told.ts';
import { renderTooLate } from './too-late.ts';
import { renderTrouble } from './trouble.ts';
import { renderWelcome } from './welcome.ts';

/** Draws a view within Slack's limits. Pure. */
export function render(view: View): RenderedMessage {
  switch (view.kind) {
    case 'device':
      return renderDevice(view);
    case 'trouble':
      return renderTrouble(view);
    case 'devices':
      return renderDevices(view);
    case 'device-page':
      return renderDevicePage(view);
    case 'timeline':
      return renderTimeline(view);
    case 'packages':
      return renderPackages(view);
    case 'explain':
      return renderExplain(view);
    case 'explain-plan':
      return renderExplainPlan(view);
    case 'missing':
      return renderMissing(view);
    case 'queue':
      return renderQueue(view);
    case 'events':
      return renderEvents(view);
    case 'help':
      return renderHelp(view);
    case 'picker':
      return renderPicker(view);
    case 'approval':
      return renderApproval(view);
    case 'operation':
      return renderOperation(view);
    case 'alert':
      return renderAlert(view);
    case 'asked':
      return renderAsked(view);
    case 'started':
      return renderStarted(view);
    case 'requested-again':
      return renderRequestedAgain(view, view.view && render(view.view));
    case 'too-late':
      return renderTooLate(view);
    case 'decided':
      return renderDecided(view);
    case 'greeting':
      return renderGreeting(view);
    case 'welcome':
      return renderWelcome(view);
    case 'fill-in':
      return renderFillIn(view);
    case 'storm':
      return renderStorm(view);
    case 'silence-on':
      return renderSilenceOn(view);
    case 'silence-over':
      return renderSilenceOver(view);
    case 'alerts':
      return renderAlerts(view);
    case 'taken':
      return renderTaken(view);
    case 'subscriptions':
      return renderSubscriptions(view);
    case 'subscribed':
      return renderSubscribed(view);
    case 'unsubscribed':
      return renderUnsubscribed(view);
    case 'silenced':
      return renderSilenced(view);
    case 'sounding':
      return renderSounding(view);
    case 'choices':
      return renderChoices(view);
    case 'compliance':
      return renderCompliance(view);
    case 'group':
      return renderGroup(view);
    case 'groups':
      return renderGroups(view);
    case 'organization':
      return renderOrganization(view);
    case 'policies':
      return renderPolicies(view);
    case 'policy':
      return renderPolicy(view);
    case 'preview':
      return renderPreview(view);
    case 'approvals':
      return renderApprovals(view);
    case 'audit':
      return renderAudit(view);
    case 'operations':
      return renderOperations(view);
    case 'status':
      return renderStatus(view);
    case 'shareable':
      return renderShareable(render(view.view), view);
    case 'posted':
      return renderPosted(view);
    case 'exported':
      return renderExported(view);
    case 'shared':
      return renderShared(view, render);
    case 'names':
      return renderNames(view);
    case 'zone':
      return renderZone(view);
    case 'pause':
      return renderPause(view);
    case 'pause-card':
      return renderPauseCard(view);
    case 'expanded':
      return renderExpanded(render(view.view), view);
    case 'card-moved':
      return renderCardMoved(view.link);
    case 'told':
      return renderTold(view);
    case 'returned':
      return renderReturned(view);
    case 'problem':
      return renderProblem(view.problem, view.root);
  }
}
